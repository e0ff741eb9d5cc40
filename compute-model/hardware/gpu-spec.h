// SPDX-License-Identifier: GPL-2.0-only
// Describes a GPU and a node of GPUs as the timing model sees them: peak rates, memory, links, and
// the share of the peaks that real kernels reach. It ignores clocks, power limits and temperature.
#pragma once

#include "units/bytes.h"
#include "units/duration.h"
#include "units/precision.h"

#include <cstdint>
#include <string>

namespace geotrain
{

/// ConstantSource says where a GPU's constants come from.
enum class ConstantSource : std::uint8_t
{
    Estimate,   ///< another GPU's, by the published ratios of their kernels
    PublicRuns, ///< public runs of whole training jobs, whose losses beside the kernels are in them
    Kernels     ///< layers that were measured on one such GPU
};

/// ElementKernels says which kernels do what is no product: norms, sums, activations.
enum class ElementKernels : std::uint8_t
{
    Eager,       ///< PyTorch's of today, not compiled, without dropout
    Megatron2021 ///< Megatron-LM's of 2021 (Narayanan et al.), with dropout
};

/// AttentionShares are rates of causal fused attention over that of its forward pass with heads of 128
/// and long sequences.
struct AttentionShares
{
    double forward64 = 1; ///< with heads of 64
    double forward256 = 1;
    double backward64 = 1;
    double backward128 = 1;
    double backward256 = 1;
    double halfSequence = 0; ///< tokens of a sequence at which half of the rate is reached
};

/// GpuEfficiency is the share of the peaks that a GPU type's kernels reach.
///
/// A matrix multiplication of m x k by k x n runs at peak x e. With the geometric mean g = (m k
/// n)^(1/3) of its sides, e = maxMatmulEfficiency x g / (g + halfMatmulSide), so large products
/// saturate the tensor cores. Element-wise operations run at the memory's bandwidth x
/// memoryEfficiency. Each kernel takes kernelGap more.
struct GpuEfficiency
{
    double maxMatmulEfficiency = 0; ///< share of the dense peak, in (0, 1]
    double halfMatmulSide = 0;      ///< side g at which half of that is reached, in elements
    double memoryEfficiency = 0;    ///< share of the memory bandwidth, in (0, 1]
    /// Share of the peak at which fused attention computes all s x s scores, in (0, 1].
    double fusedAttentionEfficiency = 0;
    /// Share of the peak at which causal fused attention computes the scores that are not masked,
    /// forward, with heads of 128 and long sequences, in (0, 1].
    double causalAttentionEfficiency = 0;
    ConstantSource source = ConstantSource::Estimate;
    std::string basis; ///< what they are fitted to, or whose they are
    AttentionShares attentionShares = {};
    Duration kernelGap = {}; ///< from the end of a kernel until the next one works at its rate
    ElementKernels elementKernels = ElementKernels::Eager; ///< those that the constants go with
};

/// ServingCosts is what a serving engine adds to the kernels of a prefill on a GPU type and its host.
struct ServingCosts
{
    Duration passOverhead; ///< per pass: scheduling, input preparation, sampling
    /// Share of the kernels' rates that the engine's own reach, in (0, 1].
    double kernelEfficiency = 1;
    bool isCausal = true;      ///< attention computes the scores alone that are not masked
    Duration layerLaunch;      ///< least time of a layer: the CPU that launches it takes as long
    Duration allReduceLatency; ///< per all-reduce, beside the time of its bytes
    /// An all-reduce of a pass of n tokens takes 1 + saturationSlope x r times its bytes' time, where
    /// r, from 0 to saturationEnd, is the tokens beyond servingSaturationTokens over that number.
    double saturationSlope = 0;
    double saturationEnd = 0;
    /// A layer of a pass of b prompts takes batchOverhead x (b-1)^batchExponent longer.
    Duration batchOverhead;
    double batchExponent = 1;
    const char* basis = ""; ///< whose engine, and of which year
};

/// A GpuSpec holds the published figures of a GPU type.
struct GpuSpec
{
    std::string name;
    /// Peak of the dense bf16 and fp16 tensor cores (V100: fp16); a multiply-add counts as two.
    double peakFlopsPerSecond = 0;
    /// Memory as the data sheet gives it, in decimal units. CUDA itself uses what the chip has
    /// beyond that.
    Bytes memory;
    double memoryBytesPerSecond = 0; ///< peak bandwidth
    double nvlinkBytesPerSecond = 0; ///< all NVLinks of a GPU together, per direction
    std::string source;              ///< where the figures were published
    GpuEfficiency efficiency;
    ServingCosts serving = {};
    bool fusesAttention = true; ///< whether training on it fuses attention, as since A100
    bool hasBf16 = true;
    double fp32FlopsPerSecond = 0; ///< peak without tensor cores; 0: not known
    double tf32FlopsPerSecond = 0; ///< dense peak; 0: it has none
    double fp8FlopsPerSecond = 0;  ///< dense peak; 0: it has none
};

/// Returns the source in words: "estimate", "public runs", "kernels measured".
const char* NameOf(ConstantSource source);

/// Returns the peak rate of products in `precision`; 0 where the GPU has none. That of bf16 on a GPU
/// without it is fp16's.
double PeakFlopsPerSecond(const GpuSpec& gpu, Precision precision);

/// Returns whether the GPU multiplies in `precision`.
bool Supports(const GpuSpec& gpu, Precision precision);

/// Returns the GPU with kernels that reach `share` of its own kernels' rates.
GpuSpec WithKernelsAt(double share, const GpuSpec& gpu);

/// A NodeSpec is one machine, inside which tensor parallelism stays.
struct NodeSpec
{
    GpuSpec gpu;
    std::uint32_t gpus = 1; ///< at least 1
    BitRate nicRate;        ///< all NICs of the node together, per direction
};

} // namespace geotrain
