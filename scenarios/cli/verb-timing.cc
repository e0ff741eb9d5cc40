// SPDX-License-Identifier: GPL-2.0-only
// The verb `geotrain timing` prints what the compute model says of a model on a GPU.
#include "cli/attention-option.h"
#include "cli/verb.h"

#include "hardware/gpu-catalogue.h"
#include "loader/catalogue-names.h"
#include "runner/exit-codes.h"
#include "runner/stderr-text.h"
#include "timing/prefill-time.h"
#include "timing/stage-timing.h"
#include "units/config-error.h"
#include "workload/flop-count.h"
#include "workload/memory-model.h"
#include "workload/parameter-count.h"

#include <fmt/format.h>

#include <stdexcept>

namespace geotrain
{

namespace
{

/// TimingArguments are the options of the verb.
struct TimingArguments
{
    std::string model;
    std::string gpu;
    std::uint32_t tensorParallel = 1;
    std::uint32_t microbatchSize = 1;
    std::uint32_t sequence = 0;      ///< tokens; 0: the model's own
    std::uint32_t prefillTokens = 0; ///< 0: as many as the sequence has
    std::string attention;           ///< empty: the GPU's own
    std::string precision;           ///< empty: bf16, or fp16 where the GPU has no bf16
    std::string engine;              ///< empty: the GPU's own
    OutputOptions output;
};

Precision
PrecisionOf(const TimingArguments& arguments, const GpuSpec& gpu)
{
    if (arguments.precision.empty())
    {
        return gpu.hasBf16 ? Precision::Bf16 : Precision::Fp16;
    }
    for (const auto precision : allPrecisions)
    {
        if (CLI::detail::to_lower(NameOf(precision)) == arguments.precision)
        {
            if (!Supports(gpu, precision))
            {
                throw ConfigError(
                    "--precision", "", arguments.precision, "must be a precision of " + gpu.name);
            }
            return precision;
        }
    }
    throw std::logic_error("the option lets known precisions through alone");
}

Attention
AttentionOf(const TimingArguments& arguments, const GpuSpec& gpu)
{
    return arguments.attention.empty() ? AttentionOn(gpu, PrecisionOf(arguments, gpu))
                                       : AttentionNamed(arguments.attention);
}

/// Throws ConfigError where an option does not go with the model.
void
CheckFit(const TimingArguments& arguments, const TransformerSpec& model)
{
    if (model.sequence > model.maxContext)
    {
        throw ConfigError(
            "--sequence",
            "",
            std::to_string(model.sequence),
            fmt::format("must be at most {}, the context of {}", model.maxContext, model.name));
    }
    const std::uint32_t width = model.experts.count > 0 ? model.experts.width : model.ffnWidth;
    if (model.heads % arguments.tensorParallel != 0 || width % arguments.tensorParallel != 0)
    {
        throw ConfigError("--tp",
                          "",
                          std::to_string(arguments.tensorParallel),
                          fmt::format("must divide the {} heads and the {}'s width of {} of {}",
                                      model.heads,
                                      model.experts.count > 0 ? "expert" : "MLP",
                                      width,
                                      model.name));
    }
}

/// Returns FLOPs, sizes and times of the whole model as one pipeline stage, for one microbatch.
nlohmann::ordered_json
Measure(const TimingArguments& arguments, TransformerSpec model, const GpuSpec& gpu)
{
    if (arguments.sequence > 0)
    {
        model.sequence = arguments.sequence;
    }
    CheckFit(arguments, model);
    CheckTransformer(model);
    model.precision = PrecisionOf(arguments, gpu);
    model.gradientBytesPerParameter = ActivationBytes(model.precision);
    const bool is16Bit = // what efficiencies were fitted to
        model.precision == Precision::Bf16 || model.precision == Precision::Fp16;
    const double peak = PeakFlopsPerSecond(gpu, model.precision);
    const StageExecution execution{arguments.microbatchSize,
                                   arguments.tensorParallel,
                                   Recomputation::None,
                                   AttentionOf(arguments, gpu)};
    const auto share = SplitEvenly(model, 1).front();
    const auto timing = TimeStage(model, share, gpu, execution);
    const auto flops = StageFlops(model, share, execution.microbatchSize);
    const auto memory = MemoryOfStage(model, share, execution, 1);
    const auto tokens = arguments.prefillTokens > 0 ? arguments.prefillTokens : model.sequence;
    const PrefillPass pass{model, gpu, execution.tensorParallel, tokens, execution.microbatchSize};
    const auto kernels = PrefillTime(pass);
    const auto prefill = ServingPrefillTime(pass);
    const auto total = flops.forward + flops.backwardInput + flops.backwardWeight;
    const auto groupRate = AchievedFlopsPerSecond(total, timing.forward + timing.Backward());

    nlohmann::ordered_json object;
    object["model"] = model.name;
    object["gpu"] = gpu.name;
    object["tensor_parallel"] = execution.tensorParallel;
    object["microbatch_size"] = execution.microbatchSize;
    object["sequence_tokens"] = model.sequence;
    object["precision"] = NameOf(model.precision);
    object["peak_flops_per_gpu"] = peak;
    object["attention"] = execution.attention == Attention::Fused         ? "fused"
                          : execution.attention == Attention::FusedCausal ? "fused-causal"
                                                                          : "unfused";
    object["parameters"] = ParameterCount(model);
    object["active_parameters"] = ActiveParameterCount(model);
    object["forward_flops"] = flops.forward.Count();
    object["backward_flops"] = (flops.backwardInput + flops.backwardWeight).Count();
    object["boundary_activation_bytes"] =
        BoundaryActivationBytes(model, execution.microbatchSize).Count();
    object["gradient_bytes"] = StageGradientBytes(model, share).Count();
    object["memory_state_bytes_per_gpu"] = memory.state.Count();
    object["memory_activation_bytes_per_gpu"] = memory.activations.Count();
    object["memory_bytes_per_gpu"] = memory.Total().Count();
    object["fits_memory"] = memory.Total() <= gpu.memory;
    object["forward_s"] = timing.forward.ToSeconds();
    object["backward_input_s"] = timing.backwardInput.ToSeconds();
    object["backward_weight_s"] = timing.backwardWeight.ToSeconds();
    object["backward_s"] = timing.Backward().ToSeconds();
    object["optimizer_step_s"] = timing.optimizerStep.ToSeconds();
    object["achieved_flops_per_gpu"] = groupRate / execution.tensorParallel;
    object["flop_utilization"] = groupRate / execution.tensorParallel / peak;
    object["prefill_tokens"] = tokens;
    object["prefill_s"] = prefill.ToSeconds();
    object["prefill_kernels_s"] = kernels.ToSeconds();
    object["times_are"] =
        is16Bit ? NameOf(gpu.efficiency.source) : NameOf(ConstantSource::Estimate);
    object["efficiency_is"] = gpu.efficiency.basis;
    object["serving_is"] = gpu.serving.basis;
    return object;
}

int
Timing(const TimingArguments& arguments)
{
    const auto model = ModelOrConfig(arguments.model, "", {"--model", ""});
    auto gpu = GpuNamed(arguments.gpu, "", {"--gpu", ""});
    if (!arguments.engine.empty())
    {
        gpu.serving = SplitwiseServing(gpu);
    }
    nlohmann::ordered_json object;
    try
    {
        object = Measure(arguments, model, gpu);
    }
    catch (const std::invalid_argument& broken)
    {
        throw ConfigError("timing", "", "", broken.what());
    }
    for (const std::string& note : model.notes)
    {
        PrintToStderr("warning: {}\n", note);
    }
    PrintQuantities(object, arguments.output);
    return exitDone;
}

} // namespace

void
AddTimingVerb(VerbList& verbs)
{
    auto [verb, arguments] =
        verbs.Add("timing", "What the compute model says of a model on a GPU", Timing);
    verb.add_option("--model", arguments.model, "A name of `list models`, or a config.json")
        ->required();
    verb.add_option("--gpu", arguments.gpu, "A name of `list gpus`")->required();
    verb.add_option("--tp", arguments.tensorParallel, "Tensor-parallel GPUs")
        ->check(CLI::Range(1, 1024));
    verb.add_option("--microbatch-size", arguments.microbatchSize, "Sequences of a microbatch")
        ->check(CLI::Range(1, 100000));
    verb.add_option("--sequence", arguments.sequence, "Tokens of a sequence; default: the model's")
        ->check(CLI::Range(1, 20000000));
    verb.add_option("--prefill-tokens",
                    arguments.prefillTokens,
                    "Tokens of a prompt; default: the sequence")
        ->check(CLI::Range(1, 20000000));
    AddAttentionOption(verb, arguments.attention, "Default: fused-causal on A100 and newer");
    verb.add_option(
            "--precision", arguments.precision, "Default: bf16; fp16 where the GPU has no bf16")
        ->check(CLI::IsMember({"fp32", "tf32", "bf16", "fp16", "fp8"}));
    verb.add_option(
            "--engine",
            arguments.engine,
            "Whose costs prefills have: splitwise-2023; default: the GPU's, as serving_is says")
        ->check(CLI::IsMember({"splitwise-2023"}));
    AddOutputOptions(verb, arguments.output);
    verb.footer(R"(
Of the whole model as one pipeline stage without recomputation, for one microbatch. Whether it fits into
memory is said, not required. prefill_s is a serving engine's time for as many prompts as the
microbatch has sequences, and prefill_kernels_s what its kernels take of it.

Examples:
  geotrain timing --model llama3-8b --gpu H100
  geotrain timing --model gpt3-175b --gpu A100-80 --tp 8 --microbatch-size 2
  geotrain timing --model config.json --gpu B200 --prefill-tokens 1000 --json)");
}

} // namespace geotrain
