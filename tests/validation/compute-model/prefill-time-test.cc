// SPDX-License-Identifier: GPL-2.0-only
// Checks prefill times against Splitwise's measurements on A100 (Patel et al., ISCA'24). No
// constant was fitted to them, so the tolerance is wide. A serving engine's own overheads are not
// part of this; serving-time-test.cc has them.
#include "hardware/gpu-catalogue.h"
#include "splitwise-prompts.h"
#include "timing/prefill-time.h"
#include "units/text-file.h"
#include "workload/model-catalogue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <numeric>
#include <string>
#include <utility>
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

/// Returns the kernels of a layer of Llama-3 8B on an H200, in ms, the longest last.
std::vector<double>
KernelsOfPrefill(std::uint32_t tokens)
{
    const TransformerSpec model = *FindModel("llama3-8b");
    const GpuSpec gpu = *FindGpu("H200");
    const PrefillPass pass{model, gpu, 1, tokens};
    const double layer = ServingLayersTime(pass, {1, false, false}).ToSeconds() * 1e3;
    std::vector<double> kernels;
    double before = 0;
    for (const double end : ServingKernelEnds(pass))
    {
        kernels.push_back((end - before) * layer);
        before = end;
    }
    std::sort(kernels.begin(), kernels.end());
    return kernels;
}

// Training waits for the rest of a kernel, so that the longest bounds what it waits. The file gives the
// longest of one layer on an H200: 0.15, 0.60 and 2.36 ms at 512, 2,048 and 8,192 tokens. The engine's
// overhead, spread over the kernels, makes ours longer, most of all for few tokens; so that what training
// waits for is not told too short, they are not to be shorter by more than the measurement's last digit.
TEST(PrefillKernels, AreAsLongAsMeasuredOnH200)
{
    const std::string file = std::string(GEOTRAIN_SHARED_DATA) + "/gpu/preemption_2026-11.csv";
    if (!std::filesystem::exists(file))
    {
        GTEST_SKIP() << "no gpu/preemption_2026-11.csv below " << GEOTRAIN_SHARED_DATA;
    }
    const std::string text = ReadTextFile(file);
    ASSERT_NE(text.find("512 tokens 0.15; 2,048 tokens 0.60 (next 0.17); 8,192 tokens 2.36"),
              std::string::npos);
    const std::pair<std::uint32_t, double> longest[] = {{512, 0.15}, {2048, 0.60}, {8192, 2.36}};
    for (const auto& [tokens, measured] : longest)
    {
        const double modelled = KernelsOfPrefill(tokens).back();
        std::printf("%4u tokens: %.2f ms, modelled %.3f ms\n", tokens, measured, modelled);
        EXPECT_GT(modelled, 0.95 * measured) << tokens;
        EXPECT_LT(modelled, 1.3 * measured) << tokens;
    }
}

} // namespace
} // namespace geotrain
