// SPDX-License-Identifier: GPL-2.0-only
#include "hardware/gpu-catalogue.h"
#include "timing/layer-timing.h"
#include "workload/model-catalogue.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

/// Returns the seconds of a layer's forward over 8,192 tokens.
double
Forward(std::uint32_t window, Attention attention)
{
    TransformerSpec model = *FindModel("gpt-a");
    model.sequence = 8192;
    model.maxContext = 8192;
    model.slidingWindow = window;
    return LayerTiming(model, *FindGpu("H100"), {1, 1, Recomputation::None, attention})
        .Layer()
        .forward;
}

// A causal kernel computes s w - w^2/2 of a head's scores for a window w: (s - w)^2 / 2 fewer than
// without a window, s^2 / 2.
TEST(SlidingWindow, SavesTheScoresBeforeIt)
{
    const double all = Forward(0, Attention::FusedCausal);
    const double saved = all - Forward(1024, Attention::FusedCausal);
    const double ofFour = all - Forward(4096, Attention::FusedCausal);
    EXPECT_NEAR(saved / ofFour, 7168. * 7168 / (4096. * 4096), 1e-6);
    EXPECT_EQ(Forward(8192, Attention::FusedCausal), all);
    // A kernel that computes later keys too: s w of s^2.
    const double both = Forward(0, Attention::Fused);
    EXPECT_NEAR((both - Forward(1024, Attention::Fused)) / (both - Forward(4096, Attention::Fused)),
                7168. / 4096,
                1e-6);
    // Without fusion all scores are computed and masked.
    EXPECT_EQ(Forward(1024, Attention::Unfused), Forward(0, Attention::Unfused));
}

} // namespace
} // namespace geotrain
