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

bool
Supports(const GpuSpec& gpu, Precision precision)
{
    return PeakFlopsPerSecond(gpu, precision) > 0 && (precision != Precision::Bf16 || gpu.hasBf16);
}

} // namespace geotrain
