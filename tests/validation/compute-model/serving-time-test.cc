// SPDX-License-Identifier: GPL-2.0-only
// Checks prefill times of a serving engine against the medians of Splitwise's measurements on A100
// (Patel et al., ISCA'24).
#include "hardware/gpu-catalogue.h"
#include "splitwise-prompts.h"
#include "timing/prefill-time.h"
#include "timing/serving-time.h"
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

constexpr double servingTolerance = 0.20; ///< what a plan of prefills is to keep

/// Returns a model that Splitwise measured. BLOOM's shape is that of its released config.json.
TransformerSpec
SplitwiseModel(const std::string& name)
{
    return name == "bloom-176b" ? MakeGpt(name, 70, 14336, 112, 250880, 8192, true)
                                : *FindModel(name);
}

double
Median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

/// Prints and returns the largest relative error of the model's prefills.
double
LargestServingError(const std::string& name)
{
    const auto model = SplitwiseModel(name);
    double largest = 0;
    for (const auto& [shape, times] : MeasuredPrefills(name, 128, 16))
    {
        const auto [group, tokens, prompts] = shape;
        const double median = Median(times);
        const double modelled =
            ServingPrefillTime(model, *FindGpu("A100-80"), group, tokens, prompts).ToSeconds() *
            1e3;
        std::printf("%s tp %u, %2u x %4u tokens: %6.1f ms, modelled %6.1f (%+.0f %%)\n",
                    name.c_str(),
                    group,
                    prompts,
                    tokens,
                    median,
                    modelled,
                    100 * (modelled / median - 1));
        largest = std::max(largest, std::abs(modelled / median - 1));
    }
    return largest;
}

// 128 to 8,192 tokens, 1 to 16 prompts, tensor parallelism 2, 4 and 8: the constants were fitted to
// these rows, and leave 14.2 %.
TEST(SplitwiseServing, EveryLlamaPrefillWithinTwentyPercent)
{
    const auto measured = MeasuredPrefills("llama2-70b", 128, 16);
    if (measured.empty())
    {
        GTEST_SKIP() << "no inference/splitwise_a100.csv below " << GEOTRAIN_SHARED_DATA;
    }
    EXPECT_EQ(measured.size(), 33u); // 3 widths; 7 lengths, and 4 more numbers of prompts
    EXPECT_LT(LargestServingError("llama2-70b"), servingTolerance);
}

// Nothing was fitted to BLOOM. Its shortest prompt is 27 % too fast: its wider layers take the CPU
// longer to launch than Llama's.
TEST(SplitwiseServing, EveryBloomPrefillWithinThirtyPercentWithoutFitting)
{
    if (MeasuredPrefills("bloom-176b", 128, 16).empty())
    {
        GTEST_SKIP() << "no inference/splitwise_a100.csv below " << GEOTRAIN_SHARED_DATA;
    }
    EXPECT_LT(LargestServingError("bloom-176b"), 0.30);
}

// Splitwise's paper (Patel et al., ISCA'24) has medians of the TTFT of Llama-2 70B on 8 GPUs without
// batching, of traces whose median prompts have 1,500 tokens (coding) and 1,020 (conversation): 185
// and 155 ms on A100, 95 and 84 ms on H100. The numbers are recalled and not confirmed, and the
// median TTFT need not be that of the median prompt: an estimate. H100 has the engine's constants of
// A100, to which nothing was fitted, and the efficiency of its training.
TEST(SplitwiseServing, MediansOnA100AndH100WithinTwentyPercent)
{
    const struct
    {
        const char* gpu;
        std::uint32_t tokens;
        double milliseconds;
    } medians[] = {
        {"A100-80", 1500, 185}, {"A100-80", 1020, 155}, {"H100", 1500, 95}, {"H100", 1020, 84}};
    const auto model = *FindModel("llama2-70b");
    for (const auto& median : medians)
    {
        const auto time = ServingPrefillTime(model, *FindGpu(median.gpu), 8, median.tokens, 1);
        EXPECT_NEAR(1e3 * time.ToSeconds() / median.milliseconds, 1, servingTolerance)
            << median.gpu << ", " << median.tokens << " tokens";
    }
}

// A layer can't be launched faster than the CPU does it: 32 layers and the pass's overhead.
TEST(ServingTime, ShortPromptsWaitForTheCpu)
{
    const auto model = *FindModel("llama3-8b");
    const auto time = ServingPrefillTime(model, *FindGpu("H100"), 1, 1, 1);
    const auto floor = servingLayerLaunch * 32 + servingPassOverhead;
    EXPECT_GE(time, floor);
    EXPECT_LT(time.ToSeconds(), 1.1 * floor.ToSeconds()); // and the head
}

TEST(ServingTime, StagesOfAPassAddUpToThePass)
{
    const auto model = *FindModel("llama3-8b");
    const auto gpu = *FindGpu("A100-80");
    Duration sum;
    for (std::uint32_t stage = 0; stage < 4; ++stage)
    {
        sum += ServingLayersTime(model, gpu, 1, 8, stage == 3, 700, 1);
    }
    const auto whole = ServingPrefillTime(model, gpu, 1, 700, 1);
    EXPECT_NEAR(sum.ToSeconds(), whole.ToSeconds(), 4e-9); // each stage is rounded to 1 ns
}

TEST(ServingTime, OneGpuHasNoAllReduce)
{
    // One GPU: the pass's overhead alone.
    const auto model = *FindModel("llama3-8b");
    const auto gpu = *FindGpu("A100-80");
    EXPECT_NEAR(ServingPrefillTime(model, gpu, 1, 512, 1).ToSeconds(),
                (PrefillTime(model, gpu, 1, 512, 1) + servingPassOverhead).ToSeconds(),
                2e-9);
}

// Kernels as the model times a layer's forward pass: their shares rise to 1.
TEST(ServingTime, KernelsOfALayerEndWithIt)
{
    const auto model = *FindModel("llama2-70b");
    for (const std::uint32_t width : {1u, 8u})
    {
        const auto ends = ServingKernelEnds(model, *FindGpu("A100-80"), width, 1024, 2);
        EXPECT_TRUE(std::is_sorted(ends.begin(), ends.end()));
        EXPECT_GT(ends.front(), 0);
        EXPECT_EQ(ends.back(), 1);
    }
}

} // namespace
} // namespace geotrain
