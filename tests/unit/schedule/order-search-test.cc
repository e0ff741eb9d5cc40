// SPDX-License-Identifier: GPL-2.0-only
// Tests that searches are bounded: candidates for very many microbatches are compared over the first
// ones, and the order that is made of the best is legal for all.
#include "schedule/cross-dc.h"
#include "schedule/order-search.h"
#include "schedule/zb-2p.h"
#include "schedule/zb-v.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

ScheduleRequest
RequestOf(std::uint32_t stages, std::uint32_t microbatches)
{
    ScheduleRequest request;
    request.stages = stages;
    request.microbatches = microbatches;
    request.times.hops = {{Duration::Microseconds(600), Duration(), false}};
    return request;
}

TEST(ComparedRequest, AFewMicrobatchesAreComparedAsTheyAre)
{
    EXPECT_EQ(ComparedRequest(RequestOf(4, 4096)).microbatches, 4096u);
    EXPECT_EQ(ComparedRequest(RequestOf(4, 16)).microbatches, 16u);
}

TEST(ComparedRequest, ManyAreShortenedToTheSameRestByStages)
{
    for (const std::uint32_t microbatches : {9999u, 10000u, 10001u, 100000u})
    {
        const auto compared = ComparedRequest(RequestOf(3, microbatches)).microbatches;
        EXPECT_GE(compared, 4096u);
        EXPECT_LT(compared, 4096u + 3);
        EXPECT_EQ(compared % 3, microbatches % 3);
    }
}

TEST(ComparedRequest, HasFourTimesTheMicrobatchesThatWorkersHold)
{
    auto request = RequestOf(2, 100000);
    request.memoryCap = 5000;
    EXPECT_EQ(ComparedRequest(request).microbatches, 20000u);
    request.memoryCap = 50000;
    EXPECT_EQ(ComparedRequest(request).microbatches, 100000u);
}

/// A pipeline of p workers with units of 1 ms has work for 3 m ms; what a search adds to it is
/// warm-up and cool-down, which don't grow with m.
TEST(OrderSearch, AnOrderForManyMicrobatchesIsLegalAndHasNoGrowingBubble)
{
    const std::uint32_t microbatches = 6000;
    const auto request = RequestOf(2, microbatches);
    for (auto* make : {&Zb2p, &ZbV, &CrossDc})
    {
        const auto order = make(request);
        const auto timeline = SimulateOrder(order, microbatches, request.times);
        for (std::size_t worker = 0; worker < order.stages.size(); ++worker)
        {
            EXPECT_LE(PeakActivations(order.stages[worker], order.held),
                      order.activationCap[worker]);
        }
        const std::int64_t stagesOfWorker =

            order.stagesOfWorker.empty()
                ? 1
                : static_cast<std::int64_t>(order.stagesOfWorker[0].size());
        const Duration work = Duration::Milliseconds(3 * microbatches * stagesOfWorker);
        EXPECT_GE(timeline.Makespan(), work);
        EXPECT_LE(timeline.Makespan(), work + Duration::Milliseconds(60));
    }
}

} // namespace
} // namespace geotrain
