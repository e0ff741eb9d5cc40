// SPDX-License-Identifier: GPL-2.0-only
// Checks prefill times against Splitwise's measurements on A100 (Patel et al., ISCA'24). No
// constant was fitted to them, so the tolerance is wide. A serving engine's own overheads are not
// part of this; serving-time-test.cc has them.
#include "hardware/gpu-catalogue.h"
#include "splitwise-prompts.h"
#include "timing/prefill-time.h"
#include "workload/model-catalogue.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <numeric>
#include <vector>

namespace geotrain
{
namespace
{

constexpr std::uint32_t shortestPrompt =
    512;                                  ///< below it the engine's overheads are most of the time
constexpr double prefillTolerance = 0.35; ///< at TP 8 and 8,192 tokens; 0.12 at TP 2

TEST(SplitwisePrefill, LongLlamaPromptsWithoutServingConstants)
{
    const auto measured = MeasuredPrefills("llama2-70b", shortestPrompt, 1);
    if (measured.empty())
    {
        GTEST_SKIP() << "no inference/splitwise_a100.csv below " << GEOTRAIN_SHARED_DATA;
    }
    const GpuSpec gpu = *FindGpu("A100-80");
    const TransformerSpec model = *FindModel("llama2-70b");
    for (const auto& [key, times] : measured)
    {
        const auto [group, tokens, prompts] = key;
        const double mean =
            std::accumulate(times.begin(), times.end(), 0.0) / static_cast<double>(times.size());
        const double modelled = PrefillTime({model, gpu, group, tokens, prompts}).ToSeconds() * 1e3;
        std::printf("tp %u, %4u tokens: %6.1f ms, modelled %6.1f (%+.0f %%)\n",
                    group,
                    tokens,
                    mean,
                    modelled,
                    100 * (modelled / mean - 1));
        EXPECT_NEAR(modelled, mean, prefillTolerance * mean)
            << "tp " << group << ", " << tokens << " tokens";
    }
}

} // namespace
} // namespace geotrain
