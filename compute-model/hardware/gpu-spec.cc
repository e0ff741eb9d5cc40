// SPDX-License-Identifier: GPL-2.0-only
#include "hardware/gpu-spec.h"

namespace geotrain
{

double
PeakFlopsPerSecond(const GpuSpec& gpu, Precision precision)
{
    switch (precision)
    {
    case Precision::Fp32:
        return gpu.fp32FlopsPerSecond;
    case Precision::Tf32:
        return gpu.tf32FlopsPerSecond;
    case Precision::Bf16:
    case Precision::Fp16:
        return gpu.peakFlopsPerSecond;
    case Precision::Fp8:
        return gpu.fp8FlopsPerSecond;
    }
    return 0;
}

const char*
NameOf(ConstantSource source)
{
    return source == ConstantSource::Kernels      ? "kernels measured"
           : source == ConstantSource::PublicRuns ? "public runs"
                                                  : "estimate";
}

bool
Supports(const GpuSpec& gpu, Precision precision)
{
    return PeakFlopsPerSecond(gpu, precision) > 0 && (precision != Precision::Bf16 || gpu.hasBf16);
}

GpuSpec
WithKernelsAt(double share, const GpuSpec& gpu)
{
    GpuSpec slower = gpu;
    slower.efficiency.maxMatmulEfficiency *= share;
    slower.efficiency.memoryEfficiency *= share;
    slower.efficiency.fusedAttentionEfficiency *= share;
    slower.efficiency.causalAttentionEfficiency *= share;
    slower.efficiency.kernelGap = Duration::Seconds(gpu.efficiency.kernelGap.ToSeconds() / share);
    return slower;
}

} // namespace geotrain
