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

// Rates of FlashAttention-2 with heads of 128, as shares of the peak (Dao 2023, arXiv 2307.08691,
// sections 1 and 4.1). On A100 the forward pass reaches 0.73 and the backward pass 0.63, of 2 and 5
// products: 7 / (2/0.73 + 5/0.63) together. On H100 it is 335 TFLOP/s. A public run in which all
// scores count at these rates is as fast as it was.
constexpr double ampereForward = 0.73;
constexpr double ampereBackward = 0.63;
constexpr double ampereAttention = 0.65;
constexpr double hopperAttention = 0.34;

// Tokens of a sequence at which causal attention reaches half of its rate: cuDNN's on H200 has 484
// TFLOP/s at 2,048 tokens, 644 at 8,192 and 688 at 32,768, and backward 370, 541 and 581 (below).
constexpr double halfSequence = 600;

// tests/validation/compute-model repeats the fits, and compute-model/README.md has their errors.
//
// A100's constants minimise the largest error over the seven rows of Narayanan et al., SC'21, table
// 1 (A100-80; A100-40 is the same chip), with at most 0.9 of the peak for the largest products. A
// higher limit improves the fit by no more than 0.2 %. Nobody has measured its kernels alone here.
GpuEfficiency
Ampere()
{
    constexpr double backward = ampereBackward / ampereForward;
    GpuEfficiency ampere;
    ampere.maxMatmulEfficiency = 0.90;
    ampere.halfMatmulSide = 2100;
    ampere.memoryEfficiency = 0.72;
    ampere.fusedAttentionEfficiency = ampereAttention;
    ampere.causalAttentionEfficiency = ampereForward;
    ampere.source = ConstantSource::PublicRuns;
    ampere.basis = "fitted to Narayanan et al., SC'21, table 1";
    ampere.attentionShares.backward64 = backward;
    ampere.attentionShares.backward128 = backward;
    ampere.attentionShares.backward256 = backward;
    ampere.attentionShares.halfSequence = halfSequence;
    ampere.elementKernels = ElementKernels::Megatron2021;
    return ampere;
}

// H100's constants are those of its kernels: of 38 settings of layers in timing/profiles, and of the
// layers and prefills that were measured on an H100 and an H200 in November 2026. The memory's share
// and the half side were held at what the other constants can't tell from them, and attention's shares
// are those of NVIDIA's benchmarks on H200 (github.com/NVIDIA/cudnn-frontend, benchmark, cuDNN 9.19 and
// 9.26, 2026; gpt-oss's heads of 64, Llama 3.1's of 128, Qwen 3.5's of 256).
GpuEfficiency
Hopper()
{
    GpuEfficiency hopper;
    hopper.maxMatmulEfficiency = 0.73;
    hopper.halfMatmulSide = 200;
    hopper.memoryEfficiency = 0.75;
    hopper.fusedAttentionEfficiency = hopperAttention;
    hopper.causalAttentionEfficiency = 0.58;
    hopper.source = ConstantSource::Kernels;
    hopper.basis = "fitted to layers measured on an H100 and an H200 in November 2026";
    hopper.attentionShares.forward64 = 0.60;
    hopper.attentionShares.forward256 = 1.05;
    hopper.attentionShares.backward64 = 0.52;
    hopper.attentionShares.backward128 = 0.90;
    hopper.attentionShares.backward256 = 0.58;
    hopper.attentionShares.halfSequence = halfSequence;
    hopper.kernelGap = Duration::Nanoseconds(4400);
    return hopper;
}

/// Returns the constants of another GPU, which are an estimate here: products and attention at
/// `products` and `attention` times their shares of the peak.
GpuEfficiency
CarriedOver(GpuEfficiency efficiency, double products, double attention, const char* from)
{
    efficiency.maxMatmulEfficiency *= products;
    efficiency.fusedAttentionEfficiency *= attention;
    efficiency.causalAttentionEfficiency *= attention;
    efficiency.source = ConstantSource::Estimate;
    efficiency.basis = from;
    return efficiency;
}

// Causal attention with heads of 128 and 16,384 tokens in NVIDIA's benchmarks, in TFLOP/s:
// cudnn-frontend, benchmark/sdpa_benchmark_training, artifacts (B200) and results (GB300, H200).
constexpr double causalH200 = 673;
constexpr double causalB200 = 1332;
constexpr double causalGb300 = 1968;

// Largest products in BF16 that mamf-finder found, as shares of the peak (github.com/stas00/
// ml-engineering, compute/accelerator, "MAMF").
constexpr double productsH100 = 0.801;
constexpr double productsMi300x = 0.601;

constexpr double noEnd = std::numeric_limits<double>::infinity();

// What an engine adds today: scheduling overlaps with the GPUs' work (SGLang v0.4, December 2024; vLLM V1,
// January 2025), and a pass's kernels are launched from a graph. A custom all-reduce of a small message
// takes 10 us on H100 (sglang pull request 2904, January 2025). The millisecond per pass for inputs and
// sampling is an estimate; nobody has published it.
constexpr ServingCosts todaysServing{Duration::Milliseconds(1),
                                     1,
                                     true,
                                     Duration(),
                                     Duration::Microseconds(10),
                                     0,
                                     noEnd,
                                     Duration(),
                                     1,
                                     "SGLang and vLLM, 2025"};

// Splitwise's medians of Llama-2 70B (Patel et al., ISCA'24, and the performance model of its simulator):
// 128 to 8,192 tokens of one prompt, 2 to 16 prompts of 512 tokens, tensor parallelism 2, 4 and 8.
// A100's layers are launched in a time between that of Llama 2, 0.80 ms, and that of BLOOM, 1.12 ms, for
// which both are within 17 %. On H100 the kernels of 2023 are behind those of today.
constexpr ServingCosts ampereServing2023{Duration::Milliseconds(1),
                                         1,
                                         false,
                                         Duration::Microseconds(920),
                                         Duration::Microseconds(85),
                                         1.2,
                                         noEnd,
                                         Duration::Microseconds(180),
                                         1.4,
                                         "Splitwise, 2023"};
constexpr ServingCosts hopperServing2023{Duration::Milliseconds(1),
                                         0.91,
                                         false,
                                         Duration::Microseconds(640),
                                         Duration::Microseconds(100),
                                         2.5,
                                         1.2,
                                         Duration(),
                                         1,
                                         "Splitwise, 2023"};

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
    const GpuEfficiency volta = CarriedOver(ampere, 1, 1, "A100's, not fitted to V100");
    const GpuEfficiency graceHopper = CarriedOver(hopper, 1, 1, "H100's, which has the same chip");
    const Rates v100{15.7, 0, 125, 0};
    const Rates a100{19.5, 156, 312, 0};
    const Rates h100{66.9, 494.7, 989.4, 1978.9};
    const Rates gh200{67, 494, 990, 1979};
    const Rates b200{80, 1100, 2250, 4500};
    const Rates gb300{80, 1250, 2500, 5000};
    const Rates mi300x{163.4, 653.7, 1307.4, 2614.9};
    const GpuEfficiency blackwell =
        CarriedOver(hopper,
                    1,
                    causalB200 / b200.half * h100.half / causalH200,
                    "H100's, with attention by the ratio of cuDNN's on B200 to H200's");
    const GpuEfficiency blackwellUltra =
        CarriedOver(hopper,
                    1,
                    causalGb300 / gb300.half * h100.half / causalH200,
                    "H100's, with attention by the ratio of cuDNN's on GB300 to H200's");
    const GpuEfficiency cdna3 = CarriedOver(hopper,
                                            productsMi300x / productsH100,
                                            productsMi300x / productsH100,
                                            "H100's, by the ratio of the largest products");
    // The columns are peaks, memory in GB, and the bandwidths of memory and NVLink in GB/s.
    // clang-format off
    return {
        MakeGpu("V100-16", v100,   16,  900, 150, volta, ampereServing2023,
                "NVIDIA V100 data sheet (Jan 2020), SXM2; fp16's rate, V100 has no bf16"),
        MakeGpu("V100-32", v100,   32,  900, 150, volta, ampereServing2023,
                "NVIDIA V100 data sheet (Jan 2020), SXM2; fp16's rate, V100 has no bf16"),
        MakeGpu("A100-40", a100,   40, 1555, 300, ampere, ampereServing2023,
                "NVIDIA A100 data sheet (Mar 2021), SXM 40 GB"),
        MakeGpu("A100-80", a100,   80, 2039, 300, ampere, ampereServing2023,
                "NVIDIA A100 data sheet (Mar 2021), SXM 80 GB"),
        MakeGpu("H100",    h100,   80, 3350, 450, hopper, todaysServing,
                "NVIDIA H100 white paper v1.04 (2023), table 2, SXM5"),
        MakeGpu("H200",    h100,  141, 4800, 450, hopper, todaysServing,
                "NVIDIA H200 data sheet (2024), SXM; H100's chip and rate"),
        MakeGpu("GH200",   gh200,  96, 4000, 450, graceHopper, todaysServing,
                "NVIDIA GH200 Grace Hopper data sheet (2023), 96 GB HBM3"),
        MakeGpu("B200",    b200,  192, 8000, 900, blackwell, todaysServing,
                "NVIDIA Blackwell architecture technical brief (2024), HGX B200"),
        MakeGpu("GB300",   gb300, 288, 8000, 900, blackwellUltra, todaysServing,
                "NVIDIA GB300 NVL72 data sheet (2025), a 72nd of its figures, dense"),
        MakeGpu("MI300X",  mi300x, 192, 5300, 448, cdna3, todaysServing,
                "AMD Instinct MI300X data sheet (2023); 7 Infinity Fabric links of 64 GB/s"),
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

const ServingCosts&
SplitwiseServing(const GpuSpec& gpu)
{
    return gpu.efficiency.elementKernels == ElementKernels::Megatron2021 ? ampereServing2023
                                                                         : hopperServing2023;
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
