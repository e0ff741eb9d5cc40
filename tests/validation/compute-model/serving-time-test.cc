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
#include <cstdio>
#include <map>
#include <utility>
#include <vector>

namespace geotrain
{
namespace
{

constexpr double servingTolerance =
    0.20; ///< what a plan of prefills is to keep; the fit leaves 0.107

double
Median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

TEST(SplitwiseServing, MediansOfLlamaPromptsFrom512To2048Tokens)
{
    const auto measured = MeasuredPrefills(512, 2048);
    if (measured.empty())
    {
        GTEST_SKIP() << "no inference/splitwise_a100.csv below " << GEOTRAIN_SHARED_DATA;
    }
    EXPECT_EQ(measured.size(), 9u); // 3 widths, 3 lengths
    for (const auto& [key, times] : measured)
    {
        const auto [group, tokens] = key;
        const double median = Median(times);
        const double modelled =
            ServingPrefillTime(*FindModel("llama2-70b"), *FindGpu("A100-80"), group, tokens, 1)
                .ToSeconds() *
            1e3;
        std::printf("tp %u, %4u tokens: %6.1f ms, modelled %6.1f (%+.0f %%)\n",
                    group,
                    tokens,
                    median,
                    modelled,
                    100 * (modelled / median - 1));
        EXPECT_NEAR(modelled, median, servingTolerance * median)
            << "tp " << group << ", " << tokens << " tokens";
    }
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

} // namespace
} // namespace geotrain
