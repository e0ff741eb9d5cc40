// SPDX-License-Identifier: GPL-2.0-only
// Jobs of unlike priority on one WAN link, over packets and without: the first is as fast as alone, and
// the others get what it leaves.
#include "loader/scenario-loader.h"
#include "metrics/summary.h"
#include "trace/trace-reader.h"

#include "scenario-runs.h"
#include "small-scenario.h"
#include "temporary-folder.h"

#include <gtest/gtest.h>

namespace geotrain
{

namespace
{

constexpr double activation = 2048 * 1024 * 2; // bytes of an activation
constexpr double shareOfPayload = 1448.0 / 1500;

/// Jobs of two stages, 16 microbatches of 4 MB each way over a link of 1 Gbit/s. Each has one of so many
/// priorities.
std::string
JobsOnALink(const std::vector<int>& priorities)
{
    const std::string nodes = std::to_string(priorities.size());
    std::string text = R"(mtu: 1500
data_center { name: "a" nodes: )" +
                       nodes + R"( gpus_per_node: 1 gpu: "A100-80" }
data_center { name: "b" nodes: )" +
                       nodes + R"( gpus_per_node: 1 gpu: "A100-80" }
wan_link { from: "a" to: "b" rate: "1Gbps" delay: "5ms" }
transport { window: "8MB" }
run { warmup_iterations: 1 iterations: 2 }
)";
    for (std::size_t i = 0; i < priorities.size(); ++i)
    {
        const std::string priority =
            priorities[i] == 0 ? "" : "priority: " + std::to_string(priorities[i]);
        text += "job { name: \"j" + std::to_string(i) + "\" " + priority + R"(
  nodes { data_center: "a" count: 1 } nodes { data_center: "b" count: 1 }
  model { transformer { layers: 2 hidden: 1024 heads: 8 vocabulary: 1000 } sequence: 2048 microbatches: 16 }
  parallelism { pipeline_stages: 2 } }
)";
    }
    return text;
}

struct PriorityJob
{
    double iteration = 0; ///< seconds
    double alone = 0;     ///< seconds
};

struct PriorityRun
{
    std::vector<PriorityJob> jobs;
    std::vector<std::string> records; ///< all of the trace but its header
};

PriorityRun
RunByPriority(const std::vector<int>& priorities, const std::vector<std::string>& sets)
{
    const TemporaryFolder folder;
    RunIn(folder.Path(), LoadText(JobsOnALink(priorities), sets));
    const std::string trace = (folder.Path() / "trace.pb").string();
    PriorityRun run;
    for (std::uint32_t job = 0; job < priorities.size(); ++job)
    {
        TraceReader reader(trace, job);
        PriorityJob one;
        one.iteration = Summarize(reader).Find("iteration_time").value();
        TraceReader again(trace, job);
        while (const auto record = again.Next())
        {
            run.records.push_back(record->SerializeAsString());
            one.alone =
                record->has_run_end() ? record->run_end().iteration_time_alone_s() : one.alone;
        }
        run.jobs.push_back(one);
    }
    return run;
}

class JobPriority : public ::testing::TestWithParam<const char*>
{
  protected:
    PriorityRun Run(const std::vector<int>& priorities) const
    {
        std::vector<std::string> sets{GetParam()};
        for (std::size_t i = 0; i < priorities.size() && m_inTurns; ++i)
        {
            sets.push_back("job[" + std::to_string(i) + "].sharing=TEMPORAL");
        }
        return RunByPriority(priorities, sets);
    }

    // A message of the first job waits at most for one packet of another, 12 us of its 34 ms, and so do
    // the acknowledgements that open windows.
    const double m_tolerance = 2e-3;
    bool m_inTurns = false;
};

TEST_P(JobPriority, TheGreaterOneIsAsFastAsAlone)
{
    for (const bool inTurns : {false, true})
    {
        m_inTurns = inTurns;
        const auto first = Run({1, 0}).jobs;
        const auto second = Run({0, 1}).jobs;
        const auto equal = Run({0, 0}).jobs;
        EXPECT_NEAR(first[0].iteration, first[0].alone, m_tolerance * first[0].alone);
        EXPECT_NEAR(second[1].iteration, second[1].alone, m_tolerance * second[1].alone);
        EXPECT_GT(equal[0].iteration, 1.2 * equal[0].alone);
        EXPECT_GT(first[1].iteration, equal[1].iteration);
        EXPECT_GT(second[0].iteration, equal[0].iteration);
    }
}

TEST_P(JobPriority, IsAMatterOfOrderAlone)
{
    const auto none = Run({0, 0});
    EXPECT_EQ(Run({5, 5}).records, none.records);
    const auto first = Run({1, 0});
    EXPECT_NE(first.records, none.records);
    EXPECT_EQ(Run({0, -1}).records, first.records);
    EXPECT_EQ(Run({1000, -7}).records, first.records);
}

TEST_P(JobPriority, OfThreeJobsEachIsAsFastAsWithoutThoseBelow)
{
    const auto all = Run({-1, 2, 1}).jobs;
    const auto upper = Run({-1, 2}).jobs;
    EXPECT_NEAR(all[1].iteration, all[1].alone, m_tolerance * all[1].alone);
    // The one in the middle finds the first in other phases of its iteration.
    EXPECT_NEAR(all[2].iteration, upper[0].iteration, 0.05 * upper[0].iteration);
    EXPECT_GT(all[0].iteration, all[2].iteration);
}

INSTANTIATE_TEST_SUITE_P(OverBothNetworks,
                         JobPriority,
                         ::testing::Values("run.network=ANALYTIC", "run.network=PACKET"),
                         [](const auto& parameter)
                         { return parameter.index == 0 ? "Analytic" : "Packets"; });

/// A run of a job and of what else is on the link from "a" to "b".
struct SharedRun
{
    double iteration = 0; ///< seconds, of the job
    double alone = 0;     ///< seconds
    double seconds = 0;   ///< that the rest took
    double bytes = 0;     ///< that the rest delivered
};

SharedRun
RunBeside(int priority, const std::string& transfer)
{
    const TemporaryFolder folder;
    RunIn(folder.Path(),
          LoadText(JobsOnALink({priority}) + transfer,
                   {"run.warmup_iterations=1", "run.iterations=4"}));
    const std::string trace = (folder.Path() / "trace.pb").string();
    SharedRun run;
    TraceReader job(trace, 0);
    run.iteration = Summarize(job).Find("iteration_time").value();
    TraceReader again(trace, 0);
    while (const auto record = again.Next())
    {
        run.alone = record->has_run_end() ? record->run_end().iteration_time_alone_s() : run.alone;
    }
    TraceReader rest(trace, 1);
    while (const auto record = rest.Next())
    {
        if (record->has_transfer_span())
        {
            run.seconds = static_cast<double>(record->transfer_span().delivered_ns()) / 1e9;
            run.bytes += static_cast<double>(record->transfer_span().bytes());
        }
        if (record->has_flow_totals())
        {
            run.bytes += static_cast<double>(record->flow_totals().delivered_bytes());
        }
    }
    return run;
}

TEST(JobPriorityAndTransfers, MessagesGetWhatTheJobLeaves)
{
    const auto run =
        RunBeside(1, "transfer { from: \"a\" to: \"b\" size: \"20MB\" messages: 20 }\n");
    EXPECT_NEAR(run.iteration, run.alone, 2e-3 * run.alone);
    // The link never rests until the last message has come, 5 ms after it was sent: an iteration sends 16
    // activations this way, and the job has ended by then. 5 iterations are 336 MB.
    const double sent = run.bytes + 5 * 16 * activation;
    EXPECT_GT(run.seconds, 5 * run.alone);
    EXPECT_NEAR(run.seconds - 0.005, sent * 8 / shareOfPayload / 1e9, 0.02 * run.seconds);
}

TEST(JobPriorityAndTransfers, AFlowGetsWhatTheJobLeavesAndAllWhereTheJobComesAfterIt)
{
    const std::string flow = "transfer { from: \"a\" to: \"b\" duration: \"3s\" flow { name: "
                             "\"bulk\" connections: 4 } }\n";
    const auto above = RunBeside(1, flow);
    EXPECT_NEAR(above.iteration, above.alone, 2e-3 * above.alone);
    // In 3 s the job sends 3 s / iteration times 16 activations.
    const double ofJob = 3 / above.iteration * 16 * activation;
    EXPECT_NEAR((above.bytes + ofJob) * 8 / shareOfPayload, 3e9, 0.03 * 3e9);
    const auto below = RunBeside(-1, flow);
    EXPECT_GT(below.iteration, 1.5 * below.alone);
    EXPECT_NEAR(below.bytes * 8 / shareOfPayload, 3e9, 0.03 * 3e9);
}

} // namespace

} // namespace geotrain
