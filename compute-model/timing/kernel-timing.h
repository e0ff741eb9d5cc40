// SPDX-License-Identifier: GPL-2.0-only
// Estimates how long one GPU kernel takes: a matrix multiplication, element-wise work, an
// all-reduce inside a node. Times are seconds in double; they are rounded to nanoseconds once a
// stage is summed up.
#pragma once

#include "hardware/gpu-spec.h"

#include <cstdint>

namespace geotrain
{

constexpr double bytesPerElement = 2; ///< bf16, fp16

/// A Product is m x k by k x n.
struct Product
{
    double m;
    double k;
    double n;
};

/// KernelTiming times the kernels of one GPU type in one precision.
class KernelTiming
{
  public:
    explicit KernelTiming(const GpuSpec& gpu, Precision precision = Precision::Bf16);

    /// Times `batch` products of m x k by k x n. It is the arithmetic at the efficiency
    /// of all of them together (GpuEfficiency), or their operands' traffic where that takes longer.
    /// All sides are at least 1.
    double Matmul(double m, double k, double n, double batch = 1) const;

    /// Times a product as one of several in a kernel, at `share` of the efficiency that it has alone.
    /// The kernel's gap is not in it.
    double PartOfKernel(const Product& product, double share) const;

    /// Returns the time between two kernels.
    double Gap() const;

    /// Times products of `multiplyAdds` in one kernel that moves only `bytes` of operands and
    /// results.
    double Fused(double multiplyAdds, double bytes) const;

    /// Times fused attention at a share of the peak, which moves `bytes` of its operands and results.
    double FusedAttention(double multiplyAdds, double efficiency, double bytes) const;

    /// Times `kernels` element-wise kernels that read and write `bytes` of GPU memory together.
    double Elements(double bytes, double kernels) const;

    /// Returns how long `bytes` take to pass the GPU's memory.
    double MemoryTraffic(double bytes) const;

    /// Times a ring all-reduce of `bytes` among `group` GPUs over NVLink: 2 (group-1)/group bytes
    /// per direction.
    double AllReduce(double bytes, std::uint32_t group) const;

  private:
    double Arithmetic(double multiplyAdds, double share, double bytes) const;
    double BytesOf(const Product& product) const;

    double m_peakFlopsPerSecond;
    double m_operandBytes; ///< per element that a product reads
    double m_resultBytes;  ///< per element that it writes
    double m_maxMatmulEfficiency;
    double m_halfMatmulSide;
    double m_memoryBytesPerSecond;
    double m_gapSeconds;
    double m_nvlinkBytesPerSecond;
};

} // namespace geotrain
