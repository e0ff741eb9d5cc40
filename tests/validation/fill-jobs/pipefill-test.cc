// SPDX-License-Identifier: GPL-2.0-only
// Runs PipeFill's setting (Arfeen et al., arXiv 2410.07192): a 40B model on V100-16, TP 8 x PP 16,
// at 1K to 8K GPUs.

#include "loader/listed-variants.h"
#include "loader/scenario-loader.h"
#include "scenario-runs.h"

#include <gtest/gtest.h>

#include <cstdio>

namespace geotrain
{

namespace
{

/// Runs a variant of the library scenario.
Summary
RunVariant(const std::string& name)
{
    const ScenarioText text = ReadScenarioText("pipefill-40b");
    std::vector<Assignment> assignments;
    for (const auto& variant : ReadListedVariants(text, {}).variants)
    {
        if (variant.name == name)
        {
            assignments = variant.sets;
        }
    }
    return RunOnce(LoadScenario(text, assignments));
}

struct Expected
{
    double microbatches = 0;
    double leastGain = 0;
    double mostGain = 0;
};

void
CheckVariant(const std::string& name, const Expected& expected)
{
    const Summary summary = RunVariant(name);
    constexpr double stages = 16;
    // (p-1)/(m+p-1), within 0.02: the optimiser's step and the all-reduce are not in the formula.
    const double bubbles = (stages - 1) / (expected.microbatches + stages - 1);
    EXPECT_NEAR(1 - *summary.Find("gpu_utilization"), bubbles, 0.02);
    const double gain = *summary.Find("fill_job_gain");
    std::printf("%s: bubbles %.3f (formula %.3f), gain %.3f, filled %.3f, %.2f TFLOP/s a GPU, "
                "worth %.0f GPUs\n",
                name.c_str(),
                1 - *summary.Find("gpu_utilization"),
                bubbles,
                gain,
                *summary.Find("fill_job_share"),
                *summary.Find("fill_job_flops_per_gpu") * 1e-12,
                *summary.Find("fill_job_gpus_worth"));
    EXPECT_GE(gain, expected.leastGain);
    EXPECT_LE(gain, expected.mostGain);
    EXPECT_LE(*summary.Find("fill_job_share"), 0.68);
    EXPECT_LT(*summary.Find("training_slowdown"), 0.02);
}

TEST(PipeFill, OneThousandGpusGainFiveToFifteenPercent)
{
    CheckVariant("1k", {64, 0.05, 0.15});
}

TEST(PipeFill, TwoThousandGpusGainMore)
{
    CheckVariant("2k", {32, 0.05, 0.75});
}

TEST(PipeFill, FourThousandGpusGainMore)
{
    CheckVariant("4k", {16, 0.15, 0.75});
}

TEST(PipeFill, EightThousandGpusGainFiftyToSeventyFivePercent)
{
    CheckVariant("8k", {8, 0.50, 0.75});
}

} // namespace

} // namespace geotrain
