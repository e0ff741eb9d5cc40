// A GPU and a node of GPUs as the timing model sees them: peak rates, memory, links, and what share
// of the peaks real kernels reach. It ignores clocks, power limits and temperature.
#pragma once

#include "units/bytes.h"

#include <cstdint>
#include <string>

namespace geotrain
{

/// What share of the peaks training reaches: the fitted constants of a GPU type, three and no more.
///
/// A matrix multiplication of m x k by k x n runs at peak x e, with the geometric mean g = (m k
/// n)^(1/3) of its sides and e = maxMatmulEfficiency x g / (g + halfMatmulSide): large ones
/// saturate the tensor cores. Element-wise operations run at the memory's bandwidth x
/// memoryEfficiency.
struct GpuEfficiency
{
    double maxMatmulEfficiency = 0; ///< of the dense peak, in (0, 1]
    double halfMatmulSide = 0;      ///< g at which half of that is reached, elements
    double memoryEfficiency = 0;    ///< of the memory bandwidth, in (0, 1]
    bool fitted = false; ///< to measured training; false: an estimate, carried over from A100
};

struct GpuSpec
{
    std::string name;
    double peakFlopsPerSecond = 0; ///< dense bf16 tensor cores (V100: fp16), a multiply-add is two
    Bytes memory; ///< as the data sheet says, decimal; what is above it serves CUDA itself
    double memoryBytesPerSecond = 0; ///< peak
    double nvlinkBytesPerSecond = 0; ///< all of a GPU's NVLinks together, each direction
    std::string source;              ///< where the figures above were published
    GpuEfficiency efficiency;
};

/// A machine: what tensor parallelism stays inside.
struct NodeSpec
{
    GpuSpec gpu;
    std::uint32_t gpus = 1; ///< at least 1
    BitRate nicRate;        ///< of all its NICs together, each direction
};

} // namespace geotrain
