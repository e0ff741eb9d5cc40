// SPDX-License-Identifier: GPL-2.0-only
// Tests the streams by layer: their order, what is asked for ahead, and iteration times by formula.
#include "schedule/layered-streams.h"

#include "two-data-centres.h"

#include "execution/linked-plan.h"
#include "execution/plan-run.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

constexpr std::int64_t layeredForward = 10000;  // ns
constexpr std::int64_t layeredBackward = 20000; // ns
constexpr std::int64_t layeredRequest = 5000;   // ns, of each collective, pull and push
constexpr std::int64_t layeredStep = 700;       // ns

LayeredStreamInputs
LayeredInputs(DataParallelism dataParallelism, std::uint32_t layers, std::uint32_t prefetch)
{
    LayeredStreamInputs inputs;
    inputs.dataParallelism = dataParallelism;
    const LayerWork layer{Bytes::Of(1000),
                          Duration::Nanoseconds(layeredForward),
                          Duration(),
                          Duration::Nanoseconds(layeredBackward)};
    inputs.works = {{std::vector<LayerWork>(layers, layer), Duration::Nanoseconds(layeredStep)}};
    inputs.nodeOfWorker = {0, 1};
    inputs.workOfWorker = {0, 0};
    inputs.prefetch = prefetch;
    return inputs;
}

std::int64_t
LayeredSpan(const LayeredStreamInputs& inputs)
{
    const ExecutionPlan plan = BuildLayeredStreams(inputs);
    AnalyticNetwork network(TwoDataCentres().Topology());
    PlanRunSettings settings;
    settings.collectiveTime = [](const CollectiveRequest&)
    { return std::optional(Duration::Nanoseconds(layeredRequest)); };
    PlanRun run(plan, network, settings);
    const PlanOutcome outcome = run.Run(Instant() + Duration::Seconds(1));
    EXPECT_TRUE(outcome.IsDone()) << outcome.report;
    return outcome.end.ToNanoseconds();
}

std::string
Letters(const InstructionStream& stream)
{
    std::string letters;
    for (const Instruction& in : stream)
    {
        switch (in.kind)
        {
        case InstructionKind::AllGather:
            letters += "G";
            break;
        case InstructionKind::ReduceScatter:
            letters += "S";
            break;
        case InstructionKind::Pull:
            letters += "P";
            break;
        case InstructionKind::Push:
            letters += "U";
            break;
        case InstructionKind::Await:
            letters += "a";
            break;
        case InstructionKind::Forward:
            letters += "F";
            break;
        case InstructionKind::Recompute:
            letters += "R";
            break;
        case InstructionKind::Backward:
            letters += "B";
            break;
        default:
            letters += "O";
            continue;
        }
        letters += std::to_string(in.stage);
    }
    return letters;
}

TEST(LayeredStreams, Zero3WithoutPrefetchHasLuwusOrder)
{
    const auto plan = BuildLayeredStreams(LayeredInputs(DataParallelism::Zero3, 2, 0));
    // AG1, GEMM1, AG2, RS1, GEMM2, RS2 in backward (DisDP, figure of the baseline).
    EXPECT_EQ(Letters(plan.workers[0].stream), "G0a0F0G1a1F1G1a1B1G0S1a0B0S0O");
    EXPECT_NO_THROW(LinkedPlan{plan});
}

TEST(LayeredStreams, PrefetchAsksForTheNextLayersFirst)
{
    const auto plan = BuildLayeredStreams(LayeredInputs(DataParallelism::Zero3, 2, 2));
    EXPECT_EQ(Letters(plan.workers[0].stream), "G0G1G1a0F0G0a1F1a1B1S1a0B0S0O");
}

TEST(LayeredStreams, InNetworkPullsTheNextIterationsLayersAhead)
{
    auto inputs = LayeredInputs(DataParallelism::InNetwork, 1, 1);
    inputs.iterations = 2;
    inputs.works.front().layers.front().recompute = Duration::Nanoseconds(1);
    const auto plan = BuildLayeredStreams(inputs);
    EXPECT_EQ(plan.iterations, 1U);
    EXPECT_EQ(Letters(plan.workers[1].stream), "P0P0a0F0P0a0R0B0U0OP0a0F0a0R0B0U0Oa0");
    EXPECT_EQ(LinkedPlan(plan).Iterations(), 2U);
}

TEST(LayeredStreams, Zero3WithoutPrefetchShowsAllGathers)
{
    for (std::uint32_t layers = 1; layers <= 8; ++layers)
    {
        // Each forward and backward waits for its gather, and the last scatter hides behind nothing.
        // Scatters run while the layer before computes, which takes longer.
        EXPECT_EQ(LayeredSpan(LayeredInputs(DataParallelism::Zero3, layers, 0)),
                  layers * (2 * layeredRequest + layeredForward + layeredBackward) +
                      layeredRequest + layeredStep);
    }
}

TEST(LayeredStreams, Zero3WithPrefetchHidesAllButTheFirstGatherAndTheLastScatter)
{
    for (std::uint32_t layers = 1; layers <= 8; ++layers)
    {
        EXPECT_EQ(LayeredSpan(LayeredInputs(DataParallelism::Zero3, layers, 1)),
                  layeredRequest + layers * (layeredForward + layeredBackward) + layeredRequest +
                      layeredStep);
    }
}

TEST(LayeredStreams, KernelsThatWaitForMultiprocessorsShowMoreOfTheGathers)
{
    auto inputs = LayeredInputs(DataParallelism::Zero3, 8, 1);
    inputs.contention.isNonPreemptive = true;
    const std::int64_t hidden = LayeredSpan(LayeredInputs(DataParallelism::Zero3, 8, 1));
    const std::int64_t shown = LayeredSpan(LayeredInputs(DataParallelism::Zero3, 8, 0));
    EXPECT_GT(LayeredSpan(inputs), hidden);
    EXPECT_LT(LayeredSpan(inputs), shown + layeredRequest);
}

TEST(LayeredStreams, InNetworkHidesAllButTheFirstPullAndTheLastPush)
{
    for (std::uint32_t iterations = 1; iterations <= 3; ++iterations)
    {
        auto inputs = LayeredInputs(DataParallelism::InNetwork, 4, 2);
        inputs.iterations = iterations;
        EXPECT_EQ(LayeredSpan(inputs),
                  layeredRequest + iterations * 4 * (layeredForward + layeredBackward) +
                      layeredRequest);
    }
}

TEST(LayeredStreams, EachMicrobatchGathersAndScattersAnew)
{
    auto inputs = LayeredInputs(DataParallelism::Zero3, 3, 0);
    const auto one = BuildLayeredStreams(inputs).workers[0].stream.size();
    inputs.microbatches = 4;
    const auto stream = BuildLayeredStreams(inputs).workers[0].stream;
    EXPECT_EQ(stream.size(), 4 * (one - 1) + 1);
    EXPECT_EQ(stream[stream.size() - 3].microbatch, 3U);
}

// The second worker takes twice as long, and sets the pace of the collectives.
TEST(LayeredStreams, EachWorkerHasTheWorkOfItsGpu)
{
    auto inputs = LayeredInputs(DataParallelism::Zero3, 3, 0);
    LayeredWork slower = inputs.works.front();
    for (LayerWork& layer : slower.layers)
    {
        layer.forward = layer.forward * 2;
        layer.backward = layer.backward * 2;
    }
    slower.optimizerStep = slower.optimizerStep * 2;
    inputs.works.push_back(slower);
    inputs.workOfWorker = {0, 1};
    const auto plan = BuildLayeredStreams(inputs);
    ASSERT_EQ(plan.workers[0].stream.size(), plan.workers[1].stream.size());
    for (std::size_t i = 0; i < plan.workers[0].stream.size(); ++i)
    {
        const Instruction& fast = plan.workers[0].stream[i];
        const Instruction& slow = plan.workers[1].stream[i];
        EXPECT_EQ(slow.kind, fast.kind);
        EXPECT_EQ(slow.duration, fast.duration * 2);
    }
    EXPECT_EQ(LayeredSpan(inputs),
              3 * (2 * layeredRequest + 2 * layeredForward + 2 * layeredBackward) + layeredRequest +
                  2 * layeredStep);
}

TEST(LayeredStreams, WorkersAndLayersThatDisagreeAreRefused)
{
    auto inputs = LayeredInputs(DataParallelism::Zero3, 3, 0);
    inputs.workOfWorker = {0};
    EXPECT_THROW(BuildLayeredStreams(inputs), std::invalid_argument);
    inputs.workOfWorker = {0, 1};
    EXPECT_THROW(BuildLayeredStreams(inputs), std::invalid_argument);
    inputs.works.push_back({{inputs.works.front().layers.front()}, Duration()});
    EXPECT_THROW(BuildLayeredStreams(inputs), std::invalid_argument);
}

TEST(LayeredStreams, AccumulationInTheNetworkIsRefused)
{
    auto inputs = LayeredInputs(DataParallelism::InNetwork, 3, 0);
    inputs.microbatches = 2;
    EXPECT_THROW(BuildLayeredStreams(inputs), std::invalid_argument);
}

} // namespace
} // namespace geotrain
