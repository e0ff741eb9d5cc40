// SPDX-License-Identifier: GPL-2.0-only
// Runs every schedule over packets and checks its time against the analytic network, its bytes, and
// its deviations at run time.

#include "execution/plan-run.h"
#include "experiment-streams.h"
#include "scenario-runs.h"
#include "schedule/schedule-catalogue.h"
#include "small-scenario.h"
#include "units/quantity-parser.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace geotrain
{
namespace
{

// The links are so fast that messages take microseconds beside the compute. The gradients'
// all-reduce is not tested here.
const char* const fastScenario = R"(
name: "schedules"
model { transformer { layers: 16 hidden: 1024 heads: 8 vocabulary: 4000 } sequence: 1024 microbatches: 4 recomputation: FULL }
parallelism { pipeline_stages: 2 data_parallel: 2 }
data_center { name: "a" nodes: 2 gpus_per_node: 1 gpu: "A100-80" stages: 1 nic_rate: "10Tbps" intra_delay: "1us" }
data_center { name: "b" nodes: 2 gpus_per_node: 1 gpu: "A100-80" stages: 1 nic_rate: "10Tbps" intra_delay: "1us" }
wan_link { from: "a" to: "b" rate: "10Tbps" delay: "1us" }
mtu: 9000
transport { connections: 4 window: "4MB" }
run { all_reduce_fidelity: ANALYTIC }
)";

class OverPackets : public ::testing::TestWithParam<std::string>
{
};

TEST_P(OverPackets, TakesAsLongAsOnTheAnalyticNetworkAndMovesItsBytes)
{
    // An activation and a gradient cross the WAN for each microbatch, replica and boundary between
    // workers, of which a wave of 4 virtual stages on 2 workers has two: 1,024 x 1,024 x 2 bytes
    // each.
    const std::vector<std::string> sets{"schedule.name=" + GetParam(), "model.microbatches=4"};
    const auto packets = RunOnce(LoadText(fastScenario, sets));
    auto analyticSets = sets;
    analyticSets.push_back("run.network=ANALYTIC");
    const auto loaded = LoadText(fastScenario, analyticSets);
    const auto analytic = RunOnce(loaded);
    const double time = analytic.Find("iteration_time").value();
    EXPECT_NEAR(packets.Find("iteration_time").value(), time, 0.002 * time);
    const double boundaries = loaded.jobs[0].prepared.workerOfStage.size() == 4 ? 2 : 1;
    EXPECT_EQ(packets.Find("wan_bytes").value(), boundaries * 4 * 2 * 2 * 1024 * 1024 * 2);
    EXPECT_EQ(analytic.Find("wan_bytes"), packets.Find("wan_bytes"));
    EXPECT_GT(packets.Find("packets_wan").value(), 0);
}

std::vector<std::string>
Names()
{
    std::vector<std::string> names;
    for (const auto& entry : ScheduleCatalogue())
    {
        names.push_back(entry.name);
    }
    return names;
}

INSTANTIATE_TEST_SUITE_P(Schedules,
                         OverPackets,
                         ::testing::ValuesIn(Names()),
                         [](const auto& parameter)
                         {
                             std::string name = parameter.param;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

TEST(Schedules, VirtualStagesAnOwnOrderAndBucketsRunOverPackets)
{
    const auto interleaved =
        LoadText(fastScenario, {"schedule.name=interleaved", "schedule.virtual_stages=2"});
    // 4 virtual stages on workers 0, 1, 0, 1: three boundaries.
    EXPECT_EQ(RunOnce(interleaved).Find("wan_bytes").value(), 3.0 * 4 * 2 * 2 * 1024 * 1024 * 2);
    const auto own = LoadText(fastScenario,
                              {"model.microbatches=2",
                               "schedule.order_row=[\"0F0,0F1,0B0,0W0,0B1,0W1\", "
                               "\"1F0,1B0,1F1,1B1,1W0,1W1\"]"});
    EXPECT_EQ(RunOnce(own).Find("wan_bytes").value(), 2.0 * 2 * 2 * 1024 * 1024 * 2);
    const std::vector<std::string> carried{"run.all_reduce_fidelity=PACKETS",
                                           "model.transformer.layers=4",
                                           "data_center[0].nic_rate=400Gbps",
                                           "data_center[1].nic_rate=400Gbps"};
    auto buckets = carried;
    buckets.push_back("schedule.all_reduce_buckets=4");
    // Part of the gradients' all-reduce is hidden behind the last backward.
    EXPECT_LT(RunOnce(LoadText(fastScenario, buckets)).Find("idle_all_reduce").value(),
              RunOnce(LoadText(fastScenario, carried)).Find("idle_all_reduce").value());
}

// A Witness records kinds and microbatches of what worker 0 computed, in order, and when the last
// computation of all ended.
class Witness : public ExecutionObserver
{
  public:
    void InstructionEnded(WorkerIndex worker,
                          std::uint32_t,
                          const Instruction& instruction,
                          Instant,
                          Instant end) override
    {
        last = std::max(last, end);
        if (worker == 0 && instruction.kind != InstructionKind::OptimizerStep)
        {
            ran.emplace_back(instruction.kind, instruction.microbatch);
        }
    }

    std::vector<std::pair<InstructionKind, std::uint32_t>> ran;
    Instant last;
};

// Runs the plan of `scenario` over packets. If `deviates` is false, it keeps the planned order
// whatever comes late.
Witness
RunPackets(const Experiment& scenario, bool deviates)
{
    auto plan = StreamsOf(scenario);
    for (auto& worker : plan.execution.workers)
    {
        worker.activationCap = deviates ? worker.activationCap : 0;
    }
    const BareTestbed bare(scenario, plan.pairs);
    PlanRunSettings settings;
    settings.layer.chunkSize = scenario.testbed.transport.chunk;
    settings.warmUps = plan.pairs;
    PlanRun run(plan.execution, bare.testbed.GetNetwork(), settings);
    run.Prepare();
    Witness witness;
    run.Observe(witness);
    const auto outcome = run.Run(Instant() + Duration::Seconds(100));
    EXPECT_TRUE(outcome.IsDone()) << outcome.report;
    return witness;
}

// Planned for a WAN of microseconds, run over one of 25 ms: every gradient is late.
Experiment
PlannedForAFastWan()
{
    auto scenario = LoadText(fastScenario,
                             {"schedule.name=varuna",
                              "schedule.memory_cap=4",
                              "model.microbatches=12",
                              "parallelism.data_parallel=1"});
    for (auto& link : scenario.testbed.wan.links)
    {
        link.delay = Duration::Milliseconds(25);
        link.rate = BitRate::GigabitsPerSecond(10);
    }
    return scenario;
}

TEST(Varuna, RunsForwardsAheadOverPacketsWhereGradientsAreLate)
{
    const auto scenario = PlannedForAFastWan();
    const Witness free = RunPackets(scenario, true);
    std::vector<std::pair<InstructionKind, std::uint32_t>> planned;
    for (const Operation& operation : scenario.jobs[0].prepared.order.stages[0])
    {
        planned.emplace_back(operation.kind == Operation::Kind::Forward ? InstructionKind::Forward
                             : operation.kind == Operation::Kind::Backward
                                 ? InstructionKind::Backward
                                 : InstructionKind::Recompute,
                             operation.microbatch);
    }
    EXPECT_NE(free.ran, planned);
    EXPECT_TRUE(
        std::is_permutation(free.ran.begin(), free.ran.end(), planned.begin(), planned.end()));
    std::uint32_t held = 0;
    for (const auto& [kind, microbatch] : free.ran)
    {
        held += kind == InstructionKind::Forward ? 1 : 0;
        EXPECT_LE(held, 4u);
        held -= kind == InstructionKind::Backward ? 1 : 0;
    }
    EXPECT_LT(free.last, RunPackets(scenario, false).last);
}

} // namespace
} // namespace geotrain
