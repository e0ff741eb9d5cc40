// SPDX-License-Identifier: GPL-2.0-only
// Estimates how long the experts of a mixture-of-experts layer take on one GPU: the router, the rows
// that are brought into the order of experts and back, the experts' products in one grouped kernel
// each, and shared experts as products of their own. README.md has the fit. Sending rows to the
// experts of other GPUs is not in it.
#pragma once

#include "hardware/gpu-spec.h"
#include "timing/element-traffic.h"
#include "timing/kernel-timing.h"
#include "timing/pass-seconds.h"
#include "workload/stage-execution.h"
#include "workload/transformer-spec.h"

#include <vector>

namespace geotrain
{

/// ExpertTiming times what stands in the MLP's place in a shape with experts. A group of GPUs shares
/// the width of each expert.
class ExpertTiming
{
  public:
    /// Throws std::invalid_argument where the group can't share an expert.
    ExpertTiming(const TransformerSpec& shape, const GpuSpec& gpu, const StageExecution& execution);

    /// Times a microbatch in training.
    PassSeconds Pass() const;

    /// Times the kernels of a forward pass at inference in their order.
    std::vector<double> InferenceKernels() const;

  private:
    /// A Work is the rows of one expert, which has any in `chance` of the passes.
    struct Work
    {
        double rows = 0;
        double chance = 0;
    };

    double Grouped(double in, double out) const;
    double Products() const;
    double SharedProducts() const;
    double Router() const;

    KernelTiming m_linearKernels; ///< of products with weights
    KernelTiming m_kernels;
    ElementTraffic m_traffic;
    std::vector<Work> m_works; ///< by expert
    double m_tokens;
    double m_rows = 0; ///< (token, expert) pairs
    double m_hidden;
    double m_experts;
    double m_width;       ///< one GPU's share of an expert's inner width
    double m_sharedWidth; ///< and of the shared experts'
    bool m_gated;
};

} // namespace geotrain
