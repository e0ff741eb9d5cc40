// SPDX-License-Identifier: GPL-2.0-only
#include "hardware/gpu-catalogue.h"

#include <algorithm>
#include <limits>

namespace geotrain
{

namespace
{

constexpr double tera = 1e12;
constexpr double giga = 1e9;

// Rates of FlashAttention-2 with heads of 128, forward and backward together, as shares of the peak
// (Dao 2023, arXiv 2307.08691, sections 1 and 4.1). On A100 the forward pass reaches 0.73 and the
// backward pass 0.63, of 2 and 5 products: 7 / (2/0.73 + 5/0.63). On H100 it is 335 TFLOP/s.
constexpr double ampereAttention = 0.65;
constexpr double hopperAttention = 0.34;

// tests/validation/compute-model repeats both fits, and compute-model/README.md has their errors.
//
// A100's constants minimise the largest error over the seven rows of Narayanan et al., SC'21, table
// 1 (A100-80; A100-40 is the same chip), with at most 0.9 of the peak for the largest products. A
// higher limit improves the fit by no more than 0.2 %.
GpuEfficiency
Ampere()
{
    return {0.90, 2100, 0.72, ampereAttention, true, "fitted to Narayanan et al., SC'21, table 1"};
}

// H100's constants are within 0.1 % of the smallest mean error over half of the public rows: every
// other one of MosaicML's, and two of Megatron-Core's, with weights of 3 to 1 between the two.
GpuEfficiency
Hopper()
{
    return {0.65,
            750,
            0.75,
            hopperAttention,
            true,
            "fitted to half of MosaicML's and Megatron-Core's public rows"};
}

// Splitwise's medians of Llama-2 70B (Patel et al., ISCA'24, and the performance model of its simulator):
// 128 to 8,192 tokens of one prompt, 2 to 16 prompts of 512 tokens, tensor parallelism 2, 4 and 8. The
// largest errors are 17 % on A100-80 and 13 % on H100. A100's layers are launched in a time between that of Llama 2, 0.80
// ms, and that of BLOOM, 1.12 ms, for which both are within 17 %.
constexpr ServingCosts ampereServing{Duration::Microseconds(920),
                                     Duration::Microseconds(85),
                                     1.2,
                                     std::numeric_limits<double>::infinity(),
                                     Duration::Microseconds(180),
                                     1.4};
constexpr ServingCosts hopperServing{
    Duration::Microseconds(640), Duration::Microseconds(100), 2.2, 1.25, Duration(), 1};

/// Returns the constants of another GPU, which are an estimate here.
GpuEfficiency
CarriedOver(GpuEfficiency efficiency, const char* from)
{
    efficiency.fitted = false;
    efficiency.basis = from;
    return efficiency;
}

/// Rates are the dense peaks in TFLOP/s; 0 where there is none.
struct Rates
{
    double fp32;
    double tf32;
    double half; ///< bf16 and fp16
    double fp8;
};

GpuSpec
MakeGpu(const char* name,
        const Rates& teraflops,
        std::int64_t memoryGigabytes,
        double memoryGigabytesPerSecond,
        double nvlinkGigabytesPerSecond,
        const GpuEfficiency& efficiency,
        const ServingCosts& serving,
        const char* source)
{
    GpuSpec gpu;
    gpu.name = name;
    gpu.peakFlopsPerSecond = teraflops.half * tera;
    gpu.memory = Bytes::Of(memoryGigabytes * 1000000000);
    gpu.memoryBytesPerSecond = memoryGigabytesPerSecond * giga;
    gpu.nvlinkBytesPerSecond = nvlinkGigabytesPerSecond * giga;
    gpu.source = source;
    gpu.efficiency = efficiency;
    gpu.serving = serving;
    gpu.hasBf16 = gpu.fusesAttention =
        teraflops.tf32 > 0; // A100 brought TF32, bf16 and its kernels
    gpu.fp32FlopsPerSecond = teraflops.fp32 * tera;
    gpu.tf32FlopsPerSecond = teraflops.tf32 * tera;
    gpu.fp8FlopsPerSecond = teraflops.fp8 * tera;
    return gpu;
}

// The data sheets give NVLink as the sum of both directions; the table has half of it. Where they
// give tensor-core rates with sparsity, the table has the dense rate, which is half.
std::vector<GpuSpec>
MakeCatalogue()
{
    const GpuEfficiency ampere = Ampere();
    const GpuEfficiency hopper = Hopper();
    const GpuEfficiency volta = CarriedOver(ampere, "A100's, not fitted to V100");
    const GpuEfficiency hopperToo = CarriedOver(hopper, "H100's, which has the same chip");
    const GpuEfficiency blackwell = CarriedOver(hopper, "H100's, not fitted to B200");
    const Rates v100{15.7, 0, 125, 0};
    const Rates a100{19.5, 156, 312, 0};
    const Rates h100{66.9, 494.7, 989.4, 1978.9};
    const Rates gh200{67, 494, 990, 1979};
    const Rates b200{80, 1100, 2250, 4500};
    // The columns are peaks, memory in GB, and the bandwidths of memory and NVLink in GB/s.
    // clang-format off
    return {
        MakeGpu("V100-16", v100,   16,  900, 150, volta, ampereServing,
                "NVIDIA V100 data sheet (Jan 2020), SXM2; fp16's rate, V100 has no bf16"),
        MakeGpu("V100-32", v100,   32,  900, 150, volta, ampereServing,
                "NVIDIA V100 data sheet (Jan 2020), SXM2; fp16's rate, V100 has no bf16"),
        MakeGpu("A100-40", a100,   40, 1555, 300, ampere, ampereServing,
                "NVIDIA A100 data sheet (Mar 2021), SXM 40 GB"),
        MakeGpu("A100-80", a100,   80, 2039, 300, ampere, ampereServing,
                "NVIDIA A100 data sheet (Mar 2021), SXM 80 GB"),
        MakeGpu("H100",    h100,   80, 3350, 450, hopper, hopperServing,
                "NVIDIA H100 white paper v1.04 (2023), table 2, SXM5"),
        MakeGpu("H200",    h100,  141, 4800, 450, hopperToo, hopperServing,
                "NVIDIA H200 data sheet (2024), SXM; H100's chip and rate"),
        MakeGpu("GH200",   gh200,  96, 4000, 450, hopperToo, hopperServing,
                "NVIDIA GH200 Grace Hopper data sheet (2023), 96 GB HBM3"),
        MakeGpu("B200",    b200,  192, 8000, 900, blackwell, hopperServing,
                "NVIDIA Blackwell architecture technical brief (2024), HGX B200"),
    };
    // clang-format on
}

} // namespace

const std::vector<GpuSpec>&
GpuCatalogue()
{
    static const std::vector<GpuSpec> catalogue = MakeCatalogue();
    return catalogue;
}

std::optional<GpuSpec>
FindGpu(std::string_view name)
{
    const auto& gpus = GpuCatalogue();
    const auto found = std::find_if(
        gpus.begin(), gpus.end(), [name](const GpuSpec& gpu) { return gpu.name == name; });
    return found == gpus.end() ? std::nullopt : std::optional<GpuSpec>(*found);
}

} // namespace geotrain
