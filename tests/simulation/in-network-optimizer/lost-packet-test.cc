// SPDX-License-Identifier: GPL-2.0-only
// One lost packet stalls all workers for the timeout, as in LuWu, and the sums stay exact.
#include "aggregation-tree.h"

namespace ns3
{
namespace
{

using geotrain::Bytes;
using geotrain::Duration;

constexpr std::uint32_t lossWorkers = 8;
const Bytes lossLayer = Bytes::Of(4000000);

/// A LossyPush is what one push of a layer by all workers took.
struct LossyPush
{
    std::int64_t endNs = 0;
    std::int64_t timeouts = 0;
    std::int64_t stalledNs = 0;
    std::int64_t answered = 0;
};

/// Pushes a layer, of which worker 3 loses packet `lost`; -1: none is lost.
LossyPush
PushWithLoss(std::int64_t lost)
{
    LossyPush result;
    AggregationTree tree(geotrain::AggregationSettings(), lossWorkers, 1, {}, 1);
    tree.filters[3]->lost = lost;
    tree.server->Pull(lossLayer, [&result] { result.endNs = NowNs(); });
    for (const auto& worker : tree.workerEnds)
    {
        worker->Push(lossLayer, {});
    }
    Simulator::Run();
    for (const auto& worker : tree.workerEnds)
    {
        result.timeouts += worker->Sender().GetCounters().timeouts;
        result.stalledNs += worker->Sender().GetCounters().stalledNs;
    }
    for (const auto& [sequence, entry] : tree.sums.entries)
    {
        EXPECT_EQ(entry.times, 1);
        EXPECT_EQ(entry.lanes, tree.PlainSum(sequence)) << sequence;
    }
    result.answered = tree.root->GetCounters().answered;
    Simulator::Destroy();
    return result;
}

TEST(LostPacketTest, StallsEachWorkerForTheTimeout)
{
    const LossyPush clean = PushWithLoss(-1);
    const LossyPush lossy = PushWithLoss(2000);
    const geotrain::AggregationSettings settings;
    EXPECT_EQ(clean.timeouts, 0);
    EXPECT_EQ(lossy.timeouts, lossWorkers);
    EXPECT_EQ(lossy.stalledNs, lossWorkers * settings.timeout.ToNanoseconds());
    EXPECT_GT(lossy.answered, 0);
    // The window behind the lost packet crosses the links again, from each worker to the server:
    // 8 x 366 packets of 1,060 bytes at 100 Gbit/s, 249 us. The stall begins with the heartbeat
    // before the loss, up to a window and a loop of heartbeats (44 us) before the clean run's.
    const std::int64_t stalled = lossy.endNs - clean.endNs;
    EXPECT_GE(stalled, settings.timeout.ToNanoseconds() - 50000);
    EXPECT_LE(stalled, settings.timeout.ToNanoseconds() + 300000);
}

TEST(LostPacketTest, LastPacketIsSentAgainToo)
{
    const std::int64_t last = geotrain::AggregationSettings().PacketsIn(lossLayer) - 1;
    EXPECT_EQ(PushWithLoss(last).timeouts, lossWorkers);
}

} // namespace
} // namespace ns3
