// SPDX-License-Identifier: GPL-2.0-only
#include "execution/warm-ups.h"

#include "schedule-runs.h"

#include "schedule/gpipe.h"

#include <gtest/gtest.h>

#include <map>
#include <utility>

namespace geotrain
{
namespace
{

class WarmUps : public ::testing::Test
{
  protected:
    WarmUps()
    {
        StreamInputs inputs;
        inputs.order = GPipe({2, 1, 1});
        inputs.placement = OneNodeEach(2, 2); // nodes 0 and 1 in dc0, 2 and 3 in dc1
        inputs.timing.resize(2);
        inputs.boundary = Bytes::Of(1000);
        inputs.gradients = {Bytes::Of(600), Bytes::Of(600)};
        plan = BuildStreams(inputs);
        cells = {2, 2, inputs.placement.nodeOfWorker, {0, 0, 1, 1}};
    }

    std::map<std::pair<NodeIndex, NodeIndex>, std::int64_t> Pairs(std::optional<CellLayout> layout,
                                                                  bool withCollectives)
    {
        std::map<std::pair<NodeIndex, NodeIndex>, std::int64_t> pairs;
        for (const auto& warmUp :
             WarmUpsOf(plan, layout, [&](const auto&) { return withCollectives; }))
        {
            pairs[{warmUp.source, warmUp.destination}] = warmUp.size.Count();
        }
        return pairs;
    }

    ExecutionPlan plan;
    CellLayout cells;
};

using Expected = std::map<std::pair<NodeIndex, NodeIndex>, std::int64_t>;

TEST_F(WarmUps, SpatialSharingUsesEachPipelinesOwnPairs)
{
    EXPECT_EQ(Pairs({}, false),
              (Expected{{{0, 2}, 1000}, {{1, 3}, 1000}, {{2, 0}, 1000}, {{3, 1}, 1000}}));
}

TEST_F(WarmUps, RingsUseEachMembersSuccessor)
{
    const auto pairs = Pairs({}, true);
    EXPECT_EQ(pairs.size(), 8u);
    EXPECT_EQ(pairs.at({0, 1}), 300);
}

TEST_F(WarmUps, TemporalSharingUsesScatterAndGatherToo)
{
    const auto pairs = Pairs(cells, false);
    EXPECT_EQ(pairs.size(), 8u); // four over the WAN, two in each data centre
    EXPECT_EQ(pairs.at({0, 2}), 501);
    EXPECT_EQ(pairs.at({3, 2}), 501);
}

} // namespace
} // namespace geotrain
