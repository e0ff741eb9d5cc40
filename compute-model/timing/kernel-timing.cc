// SPDX-License-Identifier: GPL-2.0-only
#include "timing/kernel-timing.h"

#include <algorithm>
#include <cmath>

namespace geotrain
{

namespace
{

// Share of NVLink's line rate that NCCL reaches: its protocol takes about 20 %, as its maintainer
// says in github.com/NVIDIA/nccl-tests/issues/212 (2024). It is not fitted.
constexpr double nvlinkProtocolEfficiency = 0.8;

} // namespace

KernelTiming::KernelTiming(const GpuSpec& gpu, Precision precision)
    : m_peakFlopsPerSecond(PeakFlopsPerSecond(gpu, precision)),
      m_operandBytes(precision == Precision::Fp8 ? 1 : ActivationBytes(precision)),
      m_resultBytes(ActivationBytes(precision)),
      m_maxMatmulEfficiency(gpu.efficiency.maxMatmulEfficiency),
      m_halfMatmulSide(gpu.efficiency.halfMatmulSide),
      m_memoryBytesPerSecond(gpu.memoryBytesPerSecond * gpu.efficiency.memoryEfficiency),
      m_gapSeconds(gpu.efficiency.kernelGap.ToSeconds()),
      m_nvlinkBytesPerSecond(gpu.nvlinkBytesPerSecond * nvlinkProtocolEfficiency)
{
}

double
KernelTiming::Matmul(double m, double k, double n, double batch) const
{
    return Fused(batch * m * k * n, batch * BytesOf({m, k, n}));
}

double
KernelTiming::PartOfKernel(const Product& product, double share) const
{
    return Arithmetic(product.m * product.k * product.n, share, BytesOf(product));
}

double
KernelTiming::Gap() const
{
    return m_gapSeconds;
}

double
KernelTiming::BytesOf(const Product& product) const
{
    return m_operandBytes * (product.m * product.k + product.k * product.n) +
           m_resultBytes * product.m * product.n;
}

/// Times products at `share` of the efficiency of their size, or their traffic where that takes longer.
double
KernelTiming::Arithmetic(double multiplyAdds, double share, double bytes) const
{
    const double side = std::cbrt(multiplyAdds);
    const double efficiency = share * m_maxMatmulEfficiency * side / (side + m_halfMatmulSide);
    return std::max(2 * multiplyAdds / (m_peakFlopsPerSecond * efficiency), MemoryTraffic(bytes));
}

double
KernelTiming::Fused(double multiplyAdds, double bytes) const
{
    return Arithmetic(multiplyAdds, 1, bytes) + m_gapSeconds;
}

double
KernelTiming::FusedAttention(double multiplyAdds, double efficiency, double bytes) const
{
    return std::max(2 * multiplyAdds / (m_peakFlopsPerSecond * efficiency), MemoryTraffic(bytes)) +
           m_gapSeconds;
}

double
KernelTiming::Elements(double bytes, double kernels) const
{
    return MemoryTraffic(bytes) + kernels * m_gapSeconds;
}

double
KernelTiming::MemoryTraffic(double bytes) const
{
    return bytes / m_memoryBytesPerSecond;
}

double
KernelTiming::AllReduce(double bytes, std::uint32_t group) const
{
    const double share = static_cast<double>(group - 1) / group;
    return 2 * share * bytes / m_nvlinkBytesPerSecond;
}

} // namespace geotrain
