// SPDX-License-Identifier: GPL-2.0-only
// The verb `geotrain fit-gpu` fits a GPU's efficiency constants to measured profiles.
#include "cli/attention-option.h"
#include "cli/terminal-width.h"
#include "cli/verb.h"

#include "comparison/text-table.h"
#include "loader/catalogue-names.h"
#include "loader/cluster-section.h"
#include "loader/nearest-names.h"
#include "loader/scenario-text.h"
#include "runner/exit-codes.h"
#include "timing/gpu-fit.h"
#include "timing/stage-timing.h"
#include "units/config-error.h"
#include "units/text-file.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace geotrain
{

namespace
{

/// FitArguments are the options of the verb.
struct FitArguments
{
    std::vector<std::string> profiles;
    std::string model;    ///< for rows that name none
    std::string gpu;      ///< for rows that name none
    std::string scenario; ///< whose GPU types rows may name; empty: the catalogue's alone
    std::string attention = "fused-causal";
    OutputOptions output;
};

TransformerSpec
FitModelNamed(const std::string& name, const std::string& file)
{
    if (name.empty())
    {
        throw ConfigError(file, "model", "", "must be in the column model, or given by --model");
    }
    return ModelOrConfig(name, "model", {file, {}});
}

/// Returns the GPUs that rows may name.
std::vector<GpuSpec>
GpusOf(const FitArguments& arguments)
{
    return arguments.scenario.empty() ? GpuCatalogue()
                                      : GpusKnownTo(ReadScenarioText(arguments.scenario));
}

GpuSpec
FitGpuNamed(const std::string& name, const std::vector<GpuSpec>& known, const std::string& file)
{
    if (name.empty())
    {
        throw ConfigError(file, "gpu", "", "must be in the column gpu, or given by --gpu");
    }
    std::vector<std::string> names;
    for (const GpuSpec& gpu : known)
    {
        if (AreSameInAnyCase(gpu.name, name))
        {
            return gpu;
        }
        names.push_back(gpu.name);
    }
    throw ConfigError(file,
                      "gpu",
                      name,
                      UnknownName("GPU", name, names, "gpus") +
                          "; one of your own is a gpu_type of the file that --scenario names");
}

/// Reads all profiles. Sets the GPU, which must be one for all rows.
std::vector<MeasuredLayer>
ReadLayers(const FitArguments& arguments, GpuSpec& gpu)
{
    const auto known = GpusOf(arguments);
    std::vector<MeasuredLayer> layers;
    for (const auto& file : arguments.profiles)
    {
        for (const auto& row : ReadProfileRows(file, ReadTextFile(file)))
        {
            const auto found = FitGpuNamed(row.gpu.empty() ? arguments.gpu : row.gpu, known, file);
            if (!layers.empty() && found.name != gpu.name)
            {
                throw ConfigError(
                    file, "gpu", found.name, "must be " + gpu.name + ", as in the rows before");
            }
            gpu = found;
            MeasuredLayer layer;
            layer.row = row;
            layer.model = FitModelNamed(row.model.empty() ? arguments.model : row.model, file);
            if (row.sequence > 0)
            {
                layer.model.sequence = row.sequence;
                layer.model.maxContext = std::max(layer.model.maxContext, row.sequence);
            }
            layer.model.precision =
                row.precision.value_or(gpu.hasBf16 ? Precision::Bf16 : Precision::Fp16);
            if (!Supports(gpu, layer.model.precision))
            {
                throw ConfigError(file,
                                  "precision",
                                  NameOf(layer.model.precision),
                                  "must be a precision of " + gpu.name);
            }
            layer.attention = AttentionNamed(arguments.attention);
            layers.push_back(layer);
        }
    }
    return layers;
}

/// Relative standard error from which a constant is doubtful.
constexpr double doubtfulError = 0.25;

/// Returns the relative standard error of each constant.
std::vector<std::pair<std::string, double>>
StandardErrorsOf(const GpuFit& fit)
{
    return {{"matmul_efficiency", fit.errors.matmul},
            {"half_side", fit.errors.halfSide},
            {"memory_efficiency", fit.errors.memory},
            {"attention_efficiency", fit.errors.attention}};
}

/// Returns a warning for each constant that the profiles don't tell from the others.
std::vector<std::string>
WarningsOf(const GpuFit& fit)
{
    std::vector<std::string> warnings;
    for (const auto& [name, error] : StandardErrorsOf(fit))
    {
        if (error > doubtfulError)
        {
            const std::string size =
                error < 10 ? fmt::format("its standard error is {:.0f} %", error * 100)
                           : "any value fits";
            warnings.push_back(
                fmt::format("the profiles say little of {}: {}; measure a wider "
                            "range of microbatches, sequences and tensor parallelism",
                            name,
                            size));
        }
    }
    return warnings;
}

nlohmann::ordered_json
FitAsJson(const GpuSpec& gpu, const GpuFit& fit, std::size_t rows)
{
    nlohmann::ordered_json object;
    object["gpu"] = gpu.name;
    object["rows"] = rows;
    object["matmul_efficiency"] = fit.efficiency.maxMatmulEfficiency;
    object["half_side"] = fit.efficiency.halfMatmulSide;
    object["memory_efficiency"] = fit.efficiency.memoryEfficiency;
    object["attention_efficiency"] = fit.efficiency.causalAttentionEfficiency;
    object["kernel_gap_s"] = fit.efficiency.kernelGap.ToSeconds();
    for (const auto& [name, error] : StandardErrorsOf(fit))
    {
        object["standard_errors"][name] = error;
    }
    object["mean_error"] = fit.meanError;
    object["largest_error"] = fit.largestError;
    auto residuals = nlohmann::ordered_json::array();
    for (const auto& residual : fit.residuals)
    {
        residuals.push_back({{"layer", residual.row.layer},
                             {"microbatch", residual.row.microbatch},
                             {"tp", residual.row.tensorParallel},
                             {"pass", residual.pass},
                             {"measured_s", residual.measuredSeconds},
                             {"modelled_s", residual.modelledSeconds},
                             {"error", residual.Error()}});
    }
    object["residuals"] = residuals;
    object["warning_texts"] = WarningsOf(fit);
    return object;
}

/// Returns a table of the residuals. Rows of equal times, as of equal layers, come once.
std::string
ResidualTable(const GpuFit& fit)
{
    TextTable table({"layer", "microbatch", "tp", "pass", "measured ms", "modelled ms", "error"});
    for (const auto& residual : fit.residuals)
    {
        const std::vector<std::string> cells{std::to_string(residual.row.microbatch),
                                             std::to_string(residual.row.tensorParallel),
                                             residual.pass,
                                             fmt::format("{:.4f}", residual.measuredSeconds * 1e3),
                                             fmt::format("{:.4f}", residual.modelledSeconds * 1e3),
                                             fmt::format("{:+.1f} %", residual.Error() * 100)};
        const bool isRepeated = residual.row.IsOfLayer() && residual.row.layer != "0" &&
                                residual.row.layer != fit.residuals.front().row.layer;
        if (!isRepeated)
        {
            std::vector<std::string> row{residual.row.layer};
            row.insert(row.end(), cells.begin(), cells.end());
            table.AddRow(row);
        }
    }
    return table.Text(TableColumns());
}

std::string
FitText(const GpuSpec& gpu, const GpuFit& fit, std::size_t rows, const std::string& attention)
{
    const auto& efficiency = fit.efficiency;
    auto text = ResidualTable(fit);
    text += fmt::format("\n{}: {} rows, mean error {:.1f} %, largest {:.1f} %\n"
                        "In a scenario, inside gpu_type{}:\n"
                        "  efficiency {{ matmul: {:.3f} half_side: {:.0f} memory: {:.3f} "
                        "attention: {:.2f} kernel_gap: \"{}ns\" }}\n",
                        gpu.name,
                        rows,
                        fit.meanError * 100,
                        fit.largestError * 100,
                        attention == "fused" ? ", with model.attention: FUSED" : "",
                        efficiency.maxMatmulEfficiency,
                        efficiency.halfMatmulSide,
                        efficiency.memoryEfficiency,
                        efficiency.causalAttentionEfficiency,
                        efficiency.kernelGap.ToNanoseconds());
    for (const std::string& warning : WarningsOf(fit))
    {
        text += "warning: " + warning + "\n";
    }
    return text;
}

int
FitGpuToProfiles(const FitArguments& arguments)
{
    GpuSpec gpu;
    const auto layers = ReadLayers(arguments, gpu);
    GpuFit fit;
    try
    {
        fit = FitGpu(gpu, layers);
    }
    catch (const std::invalid_argument& broken)
    {
        throw ConfigError(arguments.profiles.front(), "", "", broken.what());
    }
    PrintResults(arguments.output,
                 FitAsJson(gpu, fit, layers.size()),
                 FitText(gpu, fit, layers.size(), arguments.attention));
    return exitDone;
}

} // namespace

void
AddFitGpuVerb(VerbList& verbs)
{
    auto [verb, arguments] =
        verbs.Add("fit-gpu", "Efficiency constants of a GPU from profiles", FitGpuToProfiles);
    verb.add_option("PROFILE", arguments.profiles, "CSV files, as of tools/profile-layers")
        ->required();
    verb.add_option("--model", arguments.model, "Model of rows that name none; or a config.json");
    verb.add_option("--gpu", arguments.gpu, "GPU of rows that name none");
    verb.add_option(
        "--scenario",
        arguments.scenario,
        "A scenario whose gpu_type has the GPU's peak and memory; default: GPUs of list gpus");
    AddOutputOptions(verb, arguments.output);
    AddAttentionOption(
        verb,
        arguments.attention,
        "Attention of the profiles; default: fused-causal, as of tools/profile-layers");
    verb.footer(R"(
Fits the shares of the peak that products and fused attention reach, half_side and the share of the memory's
bandwidth to the times of layers, embedding and head, and prints what the fit leaves. It warns of constants
that the profiles don't tell from the others.

A GPU of your own is a gpu_type in a scenario. Nothing else of the scenario is read.

Examples:
  geotrain fit-gpu a100.csv a100-of-8b.csv
  geotrain fit-gpu mine.csv --scenario mine.textproto
  geotrain fit-gpu old.csv --model gpt-a --gpu H100 --json)");
}

} // namespace geotrain
