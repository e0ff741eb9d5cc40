// SPDX-License-Identifier: GPL-2.0-only
// Holds the compute model against measured layers of one GPU: those that tools/profile-layers measured
// on an H100 (compute-model/timing/profiles), and layers and prefills of the shared data.
#include "csv-rows.h"
#include "hardware/gpu-catalogue.h"
#include "timing/gpu-fit.h"
#include "timing/layer-timing.h"
#include "timing/prefill-time.h"
#include "timing/profile-rows.h"
#include "timing/stage-timing.h"
#include "units/text-file.h"
#include "workload/model-catalogue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace geotrain
{
namespace
{

using Layers = std::vector<MeasuredLayer>;

/// Returns the rows of the profile of that name.
Layers
ProfileNamed(const std::string& name)
{
    const std::string file =
        std::string(GEOTRAIN_SOURCE_DIR) + "/compute-model/timing/profiles/h100-" + name + ".csv";
    Layers layers;
    for (const ProfileRow& row : ReadProfileRows(file, ReadTextFile(file)))
    {
        MeasuredLayer layer;
        layer.row = row;
        layer.model = *FindModel(row.model);
        layer.model.sequence = row.sequence;
        layers.push_back(layer);
    }
    return layers;
}

Layers
ProfilesNamed(const std::vector<std::string>& names)
{
    Layers all;
    for (const std::string& name : names)
    {
        const Layers layers = ProfileNamed(name);
        all.insert(all.end(), layers.begin(), layers.end());
    }
    return all;
}

/// Returns modelled over measured time, forward and backward together, less 1, of each first layer.
std::vector<double>
LayerErrors(const Layers& layers, const GpuSpec& gpu, Attention attention)
{
    std::vector<double> errors;
    for (const MeasuredLayer& layer : layers)
    {
        if (layer.row.layer != "0")
        {
            continue;
        }
        const ProfileRow& row = layer.row;
        const LayerTiming timing(
            layer.model, gpu, {row.microbatch, row.tensorParallel, Recomputation::None, attention});
        const PassSeconds modelled = timing.Layer();
        const double measured = (row.forward + row.backwardInput + row.backwardWeight).ToSeconds();
        const double error =
            (modelled.forward + modelled.backwardInput + modelled.backwardWeight) / measured - 1;
        std::printf("%-10s sequence %5u, microbatch %u, tp %u: %7.3f ms, error %+5.1f %%\n",
                    layer.model.name.c_str(),
                    row.sequence,
                    row.microbatch,
                    row.tensorParallel,
                    measured * 1e3,
                    error * 100);
        errors.push_back(error);
    }
    return errors;
}

double
MeanSize(const std::vector<double>& errors)
{
    double sum = 0;
    for (const double error : errors)
    {
        sum += std::abs(error);
    }
    return sum / static_cast<double>(errors.size());
}

double
Largest(const std::vector<double>& errors)
{
    double largest = 0;
    for (const double error : errors)
    {
        largest = std::max(largest, std::abs(error));
    }
    return largest;
}

const std::vector<std::string> fitted{"gpt-a", "llama3-8b", "llama3-8b-1k"};
const std::vector<std::string> heldOut{"gpt-b", "llama2-70b", "gpt3-175b", "llama3-405b"};

void
Print(const char* rows, const std::vector<double>& errors)
{
    std::printf(
        "%s: mean %.1f %%, largest %.1f %%\n", rows, MeanSize(errors) * 100, Largest(errors) * 100);
}

// The constants of the scenario measured-gpu, and the errors of compute-model/README.md.
TEST(MeasuredLayers, AFitToSmallModelsTimesLargeOnes)
{
    const GpuSpec catalogue = *FindGpu("H100");
    const GpuFit fit = FitGpu(catalogue, ProfilesNamed(fitted));
    EXPECT_NEAR(fit.efficiency.maxMatmulEfficiency, 0.793, 0.002);
    EXPECT_NEAR(fit.efficiency.halfMatmulSide, 20, 2); // the least that the fit tries
    EXPECT_NEAR(fit.efficiency.memoryEfficiency, 0.461, 0.002);
    EXPECT_NEAR(fit.efficiency.causalAttentionEfficiency, 0.79, 0.01);
    GpuSpec gpu = catalogue;
    gpu.efficiency = fit.efficiency;
    const auto ofFit = LayerErrors(ProfilesNamed(fitted), gpu, Attention::FusedCausal);
    Print("fitted", ofFit);
    EXPECT_LT(MeanSize(ofFit), 0.08);
    const auto ofRest = LayerErrors(ProfilesNamed(heldOut), gpu, Attention::FusedCausal);
    Print("held out", ofRest);
    EXPECT_LT(MeanSize(ofRest), 0.05);
    EXPECT_LT(Largest(ofRest), 0.11);
}

// A microbatch of 1,024 tokens alone takes longer than modelled: there, adding the gradients of the
// weights took longer than its traffic.
TEST(MeasuredLayers, TheCatalogueTimesProfiles)
{
    auto all = fitted;
    all.insert(all.end(), heldOut.begin(), heldOut.end());
    const auto errors = LayerErrors(ProfilesNamed(all), *FindGpu("H100"), Attention::FusedCausal);
    Print("catalogue", errors);
    EXPECT_LT(MeanSize(errors), 0.05);
    EXPECT_LT(Largest(errors), 0.20);
}

/// Returns the rows of a shared file of measurements, whose first line is a comment.
std::vector<CsvRow>
MeasuredRows(const char* name)
{
    const std::filesystem::path file =
        std::filesystem::path(GEOTRAIN_SHARED_DATA) / "gpu" / name;
    if (!std::filesystem::exists(file))
    {
        return {};
    }
    const std::string text = ReadTextFile(file.string());
    return RowsOfCsv(text.substr(text.find('\n') + 1));
}

double
MedianSize(std::vector<double> errors)
{
    std::transform(
        errors.begin(), errors.end(), errors.begin(), [](double error) { return std::abs(error); });
    std::sort(errors.begin(), errors.end());
    return errors.empty() ? 0 : errors[errors.size() / 2];
}

/// Returns the shape of a measured layer.
TransformerSpec
ShapeOfRow(const CsvRow& row)
{
    const std::string name = row.at("model");
    TransformerSpec shape = MakeGpt("measured",
                                    1,
                                    Count(row, "hidden"),
                                    Count(row, "heads"),
                                    1000,
                                    Count(row, "sequence"),
                                    false);
    shape.kvHeads = Count(row, "kv_heads");
    shape.headWidth = Count(row, "head_dim");
    shape.ffnWidth = Count(row, "ffn");
    shape.gated = name != "mha-2048";
    if (name.rfind("qwen3", 0) == 0)
    {
        shape.queryKeyNorm = QueryKeyNorm::PerHead;
    }
    if (!row.at("experts").empty())
    {
        shape.experts = {Count(row, "experts"), Count(row, "topk"), shape.ffnWidth};
    }
    return shape;
}

/// Returns the errors of forward and backward passes by GPU, of dense layers or of those with experts.
std::map<std::string, std::vector<double>>
ErrorsOfRows(const std::vector<CsvRow>& rows, bool haveExperts)
{
    std::map<std::string, std::vector<double>> errors;
    for (const CsvRow& row : rows)
    {
        if (row.at("experts").empty() == haveExperts)
        {
            continue;
        }
        const GpuSpec gpu = *FindGpu(row.at("gpu"));
        const StageExecution execution{
            Count(row, "batch"), 1, Recomputation::None, AttentionOn(gpu)};
        const PassSeconds modelled = LayerTiming(ShapeOfRow(row), gpu, execution).Layer();
        for (const auto& [column, seconds] :
             {std::pair{"layer_forward_ms", modelled.forward},
              {"layer_backward_ms", modelled.backwardInput + modelled.backwardWeight}})
        {
            const double error = 1e3 * seconds / Number(row, column) - 1;
            std::printf("%s %-14s %-17s %+5.1f %%\n",
                        row.at("gpu").c_str(),
                        row.at("model").c_str(),
                        column,
                        100 * error);
            errors[row.at("gpu")].push_back(error);
        }
    }
    return errors;
}

// Forward and backward pass of dense layers, by GPU: what users of the default are to find.
TEST(MeasuredLayers, DenseLayersOfTodayWithinTenPercentInTheMedianAndTwentyAtWorst)
{
    const auto rows = MeasuredRows("layers_2026-11.csv");
    if (rows.empty())
    {
        GTEST_SKIP() << "no gpu/layers_2026-11.csv below " << GEOTRAIN_SHARED_DATA;
    }
    auto errors = ErrorsOfRows(rows, false);
    for (const char* gpu : {"H100", "H200"})
    {
        ASSERT_EQ(errors[gpu].size(), 8u) << gpu; // 4 layers
        EXPECT_LT(MedianSize(errors[gpu]), 0.10) << gpu;
        EXPECT_LT(Largest(errors[gpu]), 0.20) << gpu;
    }
}

// The rows to which the constants of expert-timing.cc are fitted.
TEST(MeasuredLayers, MixturesOfExpertsWithinTenPercent)
{
    const auto rows = MeasuredRows("layers_2026-11.csv");
    if (rows.empty())
    {
        GTEST_SKIP() << "no gpu/layers_2026-11.csv below " << GEOTRAIN_SHARED_DATA;
    }
    auto errors = ErrorsOfRows(rows, true);
    ASSERT_EQ(errors["H100"].size(), 4u); // 2 layers
    EXPECT_LT(Largest(errors["H100"]), 0.10);
}

// Prefills without embedding and head, so without the last token's product with the vocabulary.
TEST(MeasuredLayers, PrefillsWithinTenPercentInTheMedianAndTwentyFiveAtWorst)
{
    const auto rows = MeasuredRows("prefill_2026-11.csv");
    if (rows.empty())
    {
        GTEST_SKIP() << "no gpu/prefill_2026-11.csv below " << GEOTRAIN_SHARED_DATA;
    }
    std::map<std::string, std::vector<double>> errors;
    for (const CsvRow& row : rows)
    {
        const GpuSpec gpu = *FindGpu(row.at("gpu"));
        const TransformerSpec model = *FindModel(row.at("model"));
        const auto time =
            PrefillTime({model, gpu, 1, Count(row, "tokens"), Count(row, "batch")}).ToSeconds();
        const double error = 1e3 * time / Number(row, "ms") - 1;
        std::printf("%s %2s x %5s tokens: %+5.1f %%\n",
                    row.at("gpu").c_str(),
                    row.at("batch").c_str(),
                    row.at("tokens").c_str(),
                    100 * error);
        errors[row.at("gpu")].push_back(error);
    }
    for (const char* gpu : {"H100", "H200"})
    {
        ASSERT_FALSE(errors[gpu].empty()) << gpu;
        EXPECT_LT(MedianSize(errors[gpu]), 0.10) << gpu;
        EXPECT_LT(Largest(errors[gpu]), 0.25) << gpu;
    }
}

} // namespace
} // namespace geotrain
