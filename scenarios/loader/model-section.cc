// SPDX-License-Identifier: GPL-2.0-only
#include "loader/model-section.h"

#include "loader/catalogue-names.h"
#include "loader/inlined-lines.h"
#include "loader/transformer-section.h"
#include "schema/scenario.pb.h"
#include "timing/measured-profile.h"
#include "units/quantity-parser.h"
#include "workload/hugging-face-config.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <memory>
#include <stdexcept>

namespace geotrain
{

namespace
{

/// Reads a config.json and writes it into the scenario, which then doesn't need the file.
TransformerSpec
FromHuggingFace(scenario::Model& model, const ScenarioFile& file)
{
    auto spec = ImportHuggingFaceConfig(
        file.PathOf(model.hugging_face_config(), "model.hugging_face_config"));
    WriteTransformer(spec, *model.mutable_transformer());
    return spec;
}

TransformerSpec
SourceOf(scenario::Model& model, const ScenarioFile& file)
{
    switch (model.source_case())
    {
    case scenario::Model::kCatalogue:
        return ModelNamed(model.catalogue(), "model.catalogue", file);
    case scenario::Model::kTransformer:
        return FromTransformer(model, file);
    case scenario::Model::kHuggingFaceConfig:
        return FromHuggingFace(model, file);
    default:
        file.Fail("model", "", "must have one of catalogue, transformer, hugging_face_config");
    }
}

/// Throws a ConfigError for a text such as "kvHeads must divide heads", split into the scenario's
/// field and its rule.
[[noreturn]] void
FailTransformer(const std::string& fieldAndRule,
                const scenario::Model& model,
                const ScenarioFile& file)
{
    const auto space = fieldAndRule.find(' ');
    std::string field;
    for (const char c : fieldAndRule.substr(0, space))
    {
        const bool upper = std::isupper(static_cast<unsigned char>(c)) != 0;
        field += (upper ? "_" : "") + std::string(1, static_cast<char>(std::tolower(c)));
    }
    const bool ofModel = field == "sequence" || field == "gradient_bytes_per_parameter";
    const auto prefix = (!ofModel && model.has_transformer()) ? "model.transformer." : "model.";
    file.Fail(prefix + field, "", fieldAndRule.substr(space + 1));
}

template <typename Condition>
bool
AllGpus(const Cluster& cluster, Condition condition)
{
    const auto types = cluster.GpuTypes();
    return std::all_of(types.begin(), types.end(), condition);
}

std::shared_ptr<const MeasuredProfile>
ProfileOf(scenario::Model& model, const ScenarioFile& file)
{
    if (!model.has_profile() && model.profile_line_size() == 0)
    {
        return nullptr;
    }
    const InlinedText profile = InlineLines(model.profile(),
                                            "model.profile",
                                            "model.profile_line",
                                            *model.mutable_profile_line(),
                                            file);
    model.clear_profile();
    return std::make_shared<const MeasuredProfile>(
        MeasuredProfile::Parse(profile.name, profile.text));
}

} // namespace

Software
SoftwareOf(const scenario::Model& model)
{
    if (model.has_software())
    {
        return EnumOf<Software>(model.software());
    }
    const bool has16Bits = !model.has_precision() || model.precision() == scenario::BF16 ||
                           model.precision() == scenario::FP16;
    return has16Bits && model.attention() == scenario::UNFUSED &&
                   model.gradient_bytes_per_parameter() == 4
               ? Software::MegatronDeepspeed
               : Software::Current;
}

TrainingJob
ResolveModel(scenario::Model& model, const ScenarioFile& file)
{
    TrainingJob job;
    TransformerSpec& spec = job.model;
    spec = SourceOf(model, file);
    if (!model.has_sequence())
    {
        model.set_sequence(spec.sequence);
    }
    spec.sequence = Small(model.sequence());
    const char* const ofExperts = model.has_capacity_factor()    ? "model.capacity_factor"
                                  : model.has_expert_imbalance() ? "model.expert_imbalance"
                                                                 : nullptr;
    if (ofExperts != nullptr && spec.experts.count == 0)
    {
        file.Fail(ofExperts, "", "needs a model with experts, which " + spec.name + " is not");
    }
    if (model.has_capacity_factor() && model.expert_imbalance() > 0)
    {
        file.Fail("model.expert_imbalance",
                  "",
                  "changes nothing where model.capacity_factor gives each expert as many rows");
    }
    spec.experts.capacityFactor = model.capacity_factor();
    spec.experts.imbalance = model.expert_imbalance();
    try
    {
        CheckTransformer(spec);
    }
    catch (const std::invalid_argument& broken)
    {
        FailTransformer(broken.what(), model, file);
    }
    job.recomputation = EnumOf<Recomputation>(model.recomputation());
    job.software = SoftwareOf(model);
    job.softwareEfficiency = model.software_efficiency();
    if (job.software != Software::Current)
    {
        model.set_software(WrittenAs<scenario::Software>(job.software));
    }
    if (model.has_iteration_overhead())
    {
        job.iterationOverhead = ParseDuration(model.iteration_overhead());
    }
    return job;
}

/// Names the field of a scenario's own GPU that would give it the precision; empty for others.
std::string
HowToSupport(Precision precision, const GpuSpec& gpu)
{
    const char* field = precision == Precision::Fp8    ? "fp8_tflops"
                        : precision == Precision::Tf32 ? "tf32_tflops"
                                                       : "fp32_tflops";
    return FindGpu(gpu.name).has_value()
               ? ""
               : fmt::format(": set {} of its gpu_type to its peak", field);
}

void
ResolveKernels(scenario::Model& model,
               const Cluster& cluster,
               const ScenarioFile& file,
               TrainingJob& job)
{
    if (!model.has_precision())
    {
        model.set_precision(AllGpus(cluster, [](const GpuSpec& gpu) { return gpu.hasBf16; })
                                ? scenario::BF16
                                : scenario::FP16);
    }
    job.model.precision = EnumOf<Precision>(model.precision());
    for (const auto& gpu : cluster.GpuTypes())
    {
        if (!Supports(gpu, job.model.precision))
        {
            file.Fail("model.precision",
                      NameOf(job.model.precision),
                      "must be a precision of every GPU, which it is not of " + gpu.name +
                          HowToSupport(job.model.precision, gpu));
        }
    }
    if (!model.has_gradient_bytes_per_parameter())
    {
        model.set_gradient_bytes_per_parameter(ActivationBytes(job.model.precision));
    }
    job.model.gradientBytesPerParameter = Small(model.gradient_bytes_per_parameter());
    if (!model.has_attention())
    {
        const Precision precision = job.model.precision;
        const bool isFused = AllGpus(cluster,
                                     [precision](const GpuSpec& gpu)
                                     { return IsFused(AttentionOn(gpu, precision)); });
        model.set_attention(isFused ? scenario::FUSED_CAUSAL : scenario::UNFUSED);
    }
    job.attention = EnumOf<Attention>(model.attention());
    if (const auto profile = ProfileOf(model, file))
    {
        job.timeStage = [profile, spec = job.model](const StageShare& share,
                                                    const GpuSpec& gpu,
                                                    const StageExecution& execution)
        { return profile->TimeStage(spec, share, gpu, execution); };
    }
}

} // namespace geotrain
