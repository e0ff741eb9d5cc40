// SPDX-License-Identifier: GPL-2.0-only
// Fits the constants of a GPU type to measured times of layers, as tools/profile-layers writes them:
// those of products and memory, and where attention is fused its rate. The gap between kernels and
// what other heads reach stay the GPU's own.
#pragma once

#include "hardware/gpu-spec.h"
#include "timing/profile-rows.h"
#include "workload/stage-execution.h"
#include "workload/transformer-spec.h"

#include <vector>

namespace geotrain
{

/// A MeasuredLayer is a row of a profile and what it measured.
struct MeasuredLayer
{
    ProfileRow row;
    TransformerSpec model;                        ///< with the sequence that was measured
    Attention attention = Attention::FusedCausal; ///< that of tools/profile-layers
};

/// A FitResidual compares one pass of one row.
struct FitResidual
{
    ProfileRow row;
    const char* pass = ""; ///< "forward", "backward_input" or "backward_weight"
    double measuredSeconds = 0;
    double modelledSeconds = 0;

    /// Returns the relative error of the model.
    double Error() const
    {
        return modelledSeconds / measuredSeconds - 1;
    }
};

/// FitErrors are the relative standard errors of the constants, each with the others fitted again.
/// A large one says that the profiles can't tell the constant from the others.
struct FitErrors
{
    double matmul = 0;
    double halfSide = 0;
    double memory = 0;
    double attention = 0; ///< 0 where no row has fused attention
};

/// A GpuFit is the constants that fit best, and what they leave.
struct GpuFit
{
    GpuEfficiency efficiency;
    FitErrors errors;
    std::vector<FitResidual> residuals;
    double meanError = 0; ///< of the absolute relative errors
    double largestError = 0;
};

/// Returns the constants with the smallest mean square of the logarithms of modelled over measured
/// time, from a grid that is then refined. Attention's rate starts at the GPU's own and stays so where
/// no row has fused attention. Passes that the model gives no time are left out. Throws
/// std::invalid_argument for no row, and where a group can't share a layer.
GpuFit FitGpu(const GpuSpec& gpu, const std::vector<MeasuredLayer>& layers);

} // namespace geotrain
