// SPDX-License-Identifier: GPL-2.0-only
#include "workload/flop-count.h"
#include "workload/model-catalogue.h"
#include "workload/parameter-count.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

constexpr double rounding = 1e-12; // of sums of doubles

// Narayanan et al., SC'21, appendix: a layer's forward pass has 24Bsh^2 + 4Bs^2h operations.
TEST(LayerFlops, OfAGpt)
{
    const auto model = MakeGpt("gpt", 1, 1024, 16, 50304, 2048, true);
    const double b = 4;
    const double s = 2048;
    const double h = 1024;
    const double forward = 24 * b * s * h * h + 4 * b * s * s * h;
    const PassFlops flops = LayerFlops(model, 4);
    EXPECT_NEAR(flops.forward.Count(), forward, rounding * forward);
    EXPECT_NEAR(flops.backwardInput.Count() + flops.backwardWeight.Count(),
                2 * forward,
                rounding * forward);
    EXPECT_NEAR(flops.backwardWeight.Count(), 24 * b * s * h * h, rounding * forward);
}

// The same appendix, with recomputation: 96Bslh^2 (1 + s/6h + V/16lh). It counts the head's forward
// pass with 2BshV, its backward with 4BshV, and doesn't compute it again.
TEST(ModelFlops, WithRecomputationAreTheMegatronFormula)
{
    const auto model = MakeGpt("gpt", 24, 2304, 24, 51200, 2048, true);
    const double b = 512;
    const double s = 2048;
    const double l = 24;
    const double h = 2304;
    const double v = 51200;
    const double expected = 96 * b * s * l * h * h * (1 + s / (6 * h) + v / (16 * l * h));
    const double recomputed = l * LayerFlops(model, 512).forward.Count();
    EXPECT_NEAR(ModelFlops(model, 512).Count() + recomputed, expected, 1e-9 * expected);
}

// A dense layer's weights are a multiply-add each for every token: 2 x parameters x tokens, without
// the attention scores, biases and norms.
TEST(LayerFlops, OfLlamaAreTwoAParameterAndToken)
{
    auto model = *FindModel("llama3-70b");
    const double weights =
        static_cast<double>(LayerParameters(model) - 2 * FinalNormParameters(model));
    const double expected = 2 * weights * model.sequence;
    EXPECT_NEAR(LayerFlops(model, 1).backwardWeight.Count(), expected, rounding * expected);
}

TEST(StageFlops, AddUpOverStages)
{
    const auto model = *FindModel("llama3-8b");
    double sum = 0;
    for (const auto& share : SplitEvenly(model, 5))
    {
        const PassFlops flops = StageFlops(model, share, 2);
        sum += flops.forward.Count() + flops.backwardInput.Count() + flops.backwardWeight.Count();
    }
    const double expected = ModelFlops(model, 2).Count();
    EXPECT_NEAR(sum, expected, 1e-9 * expected);
}

} // namespace
} // namespace geotrain
