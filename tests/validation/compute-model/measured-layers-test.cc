// SPDX-License-Identifier: GPL-2.0-only
// Holds the compute model against the layers of one H100, as tools/profile-layers measured them
// (compute-model/timing/profiles).
#include "hardware/gpu-catalogue.h"
#include "timing/gpu-fit.h"
#include "timing/layer-timing.h"
#include "timing/profile-rows.h"
#include "units/text-file.h"
#include "workload/model-catalogue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
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
    const GpuFit fit = FitGpu(*FindGpu("H100"), ProfilesNamed(fitted));
    EXPECT_NEAR(fit.efficiency.maxMatmulEfficiency, 0.837, 0.002);
    EXPECT_NEAR(fit.efficiency.halfMatmulSide, 2249, 20);
    EXPECT_NEAR(fit.efficiency.memoryEfficiency, 0.615, 0.002);
    EXPECT_NEAR(fit.efficiency.fusedAttentionEfficiency, 1, 0.01);
    GpuSpec gpu = *FindGpu("H100");
    gpu.efficiency = fit.efficiency;
    const auto ofFit = LayerErrors(ProfilesNamed(fitted), gpu, Attention::FusedCausal);
    Print("fitted", ofFit);
    EXPECT_LT(MeanSize(ofFit), 0.08);
    const auto ofRest = LayerErrors(ProfilesNamed(heldOut), gpu, Attention::FusedCausal);
    Print("held out", ofRest);
    EXPECT_LT(MeanSize(ofRest), 0.05);
    EXPECT_LT(Largest(ofRest), 0.11);
}

// The catalogue's constants are those of whole training runs with the software of 2023, whose
// attention computed at a third of the peak. A microbatch of 1,024 tokens alone takes longer than
// modelled: there, adding the gradients of the weights weighs more than the products.
TEST(MeasuredLayers, TheCatalogueIsSlowerThanALoneGpu)
{
    auto all = fitted;
    all.insert(all.end(), heldOut.begin(), heldOut.end());
    const auto errors = LayerErrors(ProfilesNamed(all), *FindGpu("H100"), Attention::Fused);
    Print("catalogue", errors);
    EXPECT_NEAR(MeanSize(errors), 0.24, 0.02);
    EXPECT_EQ(std::count_if(errors.begin(), errors.end(), [](double error) { return error < 0; }),
              1);
    const auto causal = LayerErrors(ProfilesNamed(all), *FindGpu("H100"), Attention::FusedCausal);
    Print("catalogue, causal", causal);
    EXPECT_NEAR(MeanSize(causal), 0.133, 0.02);
}

} // namespace
} // namespace geotrain
