// SPDX-License-Identifier: GPL-2.0-only
// Whatever is lost, duplicated and reordered: the sums at the server are the plain sums, bit by bit,
// and every byte comes exactly once, up and down. A pattern is a seed: it chooses workers, tree,
// window, slots, sizes and impairments.
#include "aggregation-tree.h"
#include "units/random-stream.h"
#include "wan-topology/model/heap-simulator-impl.h"

namespace ns3
{
namespace
{

using geotrain::Bytes;
using geotrain::Duration;

/// A LossPattern is what one seed chooses.
struct LossPattern
{
    explicit LossPattern(std::uint64_t number)
        : seed(number)
    {
        geotrain::RandomStream random(seed, "loss-pattern", "test");
        const auto draw = [&random](std::uint32_t least, std::uint32_t most)
        { return least + static_cast<std::uint32_t>(random.Uniform() * (most - least + 1)); };
        workers = draw(1, 6);
        leaves = std::min(draw(1, 3), workers);
        settings.payload = Bytes::Of(16); // four integers: the record carries all of them
        settings.integerBytes = 4;
        const std::uint32_t window = draw(1, 16);
        settings.window = Bytes::Of(16) * window;
        settings.slots = draw(window, 20);
        settings.heartbeatInterval = Duration::Microseconds(5);
        settings.timeout = Duration::Microseconds(draw(20, 200));
        settings.retries = 1000000;
        layers = draw(1, 3);
        layerBytes = Bytes::Of(draw(1, 300));
        lateCopies = 0.1 * random.Uniform();
        impairments.lossRate = 0.2 * random.Uniform();
        impairments.duplication = 0.2 * random.Uniform();
        geotrain::JitterSettings jitter;
        jitter.distribution = geotrain::JitterSettings::Distribution::Normal;
        jitter.deviation = Duration::Microseconds(draw(0, 40));
        jitter.reorders = true;
        impairments.jitter = jitter;
    }

    std::uint64_t seed;
    geotrain::AggregationSettings settings;
    std::uint32_t workers;
    std::uint32_t leaves;
    std::uint32_t layers;
    Bytes layerBytes;
    double lateCopies; ///< share of the workers' packets that arrive late once more
    geotrain::LinkImpairments impairments;
};

/// Counts of what the patterns met, so that the test can't pass by meeting nothing.
struct PatternCounts
{
    std::int64_t timeouts = 0;
    std::int64_t answered = 0;
    std::int64_t stale = 0;
    std::int64_t duplicates = 0;
};

void
ExpectEachOnce(const RecordingSink& sink, std::int64_t packets, Bytes bytes)
{
    EXPECT_EQ(static_cast<std::int64_t>(sink.entries.size()), packets);
    EXPECT_EQ(sink.bytes.Count(), bytes.Count());
    for (const auto& [sequence, entry] : sink.entries)
    {
        EXPECT_EQ(entry.times, 1) << sequence;
    }
}

void
RunPattern(const LossPattern& pattern, PatternCounts& counts)
{
    SCOPED_TRACE("seed " + std::to_string(pattern.seed));
    AggregationTree tree(
        pattern.settings, pattern.workers, pattern.leaves, pattern.impairments, pattern.seed);
    for (const auto& filter : tree.filters)
    {
        filter->lateCopies = pattern.lateCopies;
    }
    std::uint32_t pushed = 0;
    std::uint32_t pulled = 0;
    for (std::uint32_t layer = 0; layer < pattern.layers; ++layer)
    {
        tree.server->Pull(pattern.layerBytes, {});
        tree.server->Push(pattern.layerBytes, {});
        for (const auto& worker : tree.workerEnds)
        {
            worker->Push(pattern.layerBytes, [&pushed] { ++pushed; });
            worker->Pull(pattern.layerBytes, [&pulled] { ++pulled; });
        }
    }
    Simulator::Run();
    EXPECT_EQ(pushed, pattern.workers * pattern.layers);
    EXPECT_EQ(pulled, pattern.workers * pattern.layers);
    const std::int64_t packets = pattern.settings.PacketsIn(pattern.layerBytes) * pattern.layers;
    const Bytes bytes = pattern.layerBytes * pattern.layers;
    ExpectEachOnce(tree.sums, packets, bytes);
    for (const auto& [sequence, entry] : tree.sums.entries)
    {
        EXPECT_EQ(entry.lanes, tree.PlainSum(sequence)) << sequence;
    }
    for (const auto& received : tree.received)
    {
        ExpectEachOnce(*received, packets, bytes);
        for (const auto& [sequence, entry] : received->entries)
        {
            EXPECT_EQ(entry.lanes, tree.Parameters().At(sequence)) << sequence;
        }
    }
    for (const auto& worker : tree.workerEnds)
    {
        counts.timeouts += worker->Sender().GetCounters().timeouts;
    }
    for (const auto& leaf : tree.leafSwitches)
    {
        counts.stale += leaf->GetCounters().stale;
    }
    counts.answered += tree.root->GetCounters().answered;
    counts.stale += tree.root->GetCounters().stale;
    counts.duplicates += tree.root->GetCounters().duplicates;
    Simulator::Destroy();
}

TEST(ExactlyOnceTest, SumsArePlainSumsInThousandsOfPatterns)
{
    UseHeapSimulator();
    PatternCounts counts;
    for (std::uint64_t seed = 1; seed <= 2000 && !testing::Test::HasFailure(); ++seed)
    {
        RunPattern(LossPattern(seed), counts);
    }
    EXPECT_GT(counts.timeouts, 1000);
    EXPECT_GT(counts.answered, 1000);
    EXPECT_GT(counts.stale, 10);
    EXPECT_GT(counts.duplicates, 1000);
}

} // namespace
} // namespace ns3
