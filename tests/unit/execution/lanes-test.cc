// SPDX-License-Identifier: GPL-2.0-only
// Tests the lanes of a worker's requests, and how collectives and computing share the GPU.
#include "execution/plan-run.h"

#include "two-data-centres.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

Instruction
LaneInstruction(InstructionKind kind, std::int64_t nanoseconds = 0)
{
    Instruction instruction;
    instruction.kind = kind;
    instruction.duration = Duration::Nanoseconds(nanoseconds);
    instruction.size = Bytes::Of(1);
    return instruction;
}

Instruction
Awaiting(Lane lane, std::uint32_t latestLeftOut)
{
    Instruction await = LaneInstruction(InstructionKind::Await);
    await.lane = lane;
    await.microbatch = latestLeftOut;
    return await;
}

/// One worker; each collective takes 5 us alone.
class LanesTest : public ::testing::Test
{
  protected:
    /// Returns when the stream has ended, in ns.
    std::int64_t EndOf(InstructionStream stream)
    {
        plan.workers = {{"worker 0", 0, std::move(stream), 0}};
        plan.groups = {{0}};
        AnalyticNetwork network(TwoDataCentres().Topology());
        PlanRunSettings settings;
        settings.collectiveTime = [](const CollectiveRequest&)
        { return std::optional(Duration::Nanoseconds(5000)); };
        PlanRun run(plan, network, settings);
        const PlanOutcome outcome = run.Run(Instant() + Duration::Seconds(1));
        report = outcome.report;
        return outcome.end.ToNanoseconds();
    }

    ExecutionPlan plan;
    std::string report;
};

TEST_F(LanesTest, CollectivesRunOneAfterAnotherBesideComputing)
{
    const InstructionStream stream{LaneInstruction(InstructionKind::AllGather),
                                   LaneInstruction(InstructionKind::ReduceScatter),
                                   LaneInstruction(InstructionKind::Forward, 6000),
                                   LaneInstruction(InstructionKind::OptimizerStep)};
    EXPECT_EQ(EndOf(stream), 5000 + 5000);
}

TEST_F(LanesTest, ACollectiveWhoseTurnComesWhileTheGpuComputesWaitsForIt)
{
    plan.contention.isNonPreemptive = true;
    const InstructionStream stream{LaneInstruction(InstructionKind::AllGather),
                                   LaneInstruction(InstructionKind::ReduceScatter),
                                   LaneInstruction(InstructionKind::Forward, 6000),
                                   LaneInstruction(InstructionKind::OptimizerStep)};
    // The second one is launched when the forward has ended.
    EXPECT_EQ(EndOf(stream), 6000 + 5000);
}

TEST_F(LanesTest, ComputingSlowsACollectiveWhileItLasts)
{
    plan.contention.interference = 0.2;
    const InstructionStream stream{LaneInstruction(InstructionKind::AllGather),
                                   LaneInstruction(InstructionKind::AllGather),
                                   LaneInstruction(InstructionKind::Forward, 10000),
                                   LaneInstruction(InstructionKind::OptimizerStep)};
    // The first takes 5 / 0.8 = 6.25 us. Of the second, 3.75 * 0.8 = 3 us are done at 10 us, and the
    // other 2 us take as long as alone.
    EXPECT_EQ(EndOf(stream), 10000 + 2000);
}

TEST_F(LanesTest, WithoutInterferenceNothingIsSlower)
{
    plan.contention.isNonPreemptive = true;
    const InstructionStream stream{LaneInstruction(InstructionKind::AllGather),
                                   LaneInstruction(InstructionKind::Forward, 10000),
                                   LaneInstruction(InstructionKind::OptimizerStep)};
    EXPECT_EQ(EndOf(stream), 10000);
}

TEST_F(LanesTest, AwaitLeavesOutTheLatestRequests)
{
    for (std::uint32_t leftOut = 0; leftOut <= 2; ++leftOut)
    {
        const InstructionStream stream{LaneInstruction(InstructionKind::AllGather),
                                       LaneInstruction(InstructionKind::AllGather),
                                       Awaiting(Lane::Collective, leftOut),
                                       LaneInstruction(InstructionKind::Forward, 100000)};
        EXPECT_EQ(EndOf(stream), 100000 + 5000 * (2 - leftOut));
    }
}

TEST_F(LanesTest, NoLaneWaitsForAnother)
{
    const InstructionStream stream{LaneInstruction(InstructionKind::AllGather),
                                   LaneInstruction(InstructionKind::Pull),
                                   LaneInstruction(InstructionKind::Push),
                                   Awaiting(Lane::Pull, 0),
                                   Awaiting(Lane::Push, 0),
                                   Awaiting(Lane::Collective, 0)};
    EXPECT_EQ(EndOf(stream), 5000);
}

TEST_F(LanesTest, AnOptimiserStepDoesNotWaitForPulls)
{
    const InstructionStream stream{LaneInstruction(InstructionKind::Pull),
                                   LaneInstruction(InstructionKind::OptimizerStep, 1000),
                                   Awaiting(Lane::Pull, 0),
                                   LaneInstruction(InstructionKind::Forward, 10)};
    EXPECT_EQ(EndOf(stream), 5000 + 10);
}

TEST_F(LanesTest, TheReportNamesTheLayerThatIsAwaited)
{
    plan.workers = {
        {"worker 0", 0, {LaneInstruction(InstructionKind::Pull), Awaiting(Lane::Pull, 0)}, 0}};
    plan.workers.front().stream.back().stage = 7;
    plan.groups = {{0}};
    AnalyticNetwork network(TwoDataCentres().Topology());
    PlanRunSettings settings;
    settings.collectiveTime = [](const CollectiveRequest&)
    { return std::optional(Duration::Seconds(5)); };
    PlanRun run(plan, network, settings);
    const PlanOutcome outcome = run.Run(Instant() + Duration::Seconds(1));
    EXPECT_FALSE(outcome.IsDone());
    EXPECT_NE(outcome.report.find("waits for the pull of layer 7"), std::string::npos)
        << outcome.report;
}

} // namespace
} // namespace geotrain
