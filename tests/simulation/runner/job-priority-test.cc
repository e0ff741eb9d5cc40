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

#include <regex>

namespace geotrain
{

namespace
{

constexpr double activation = 2048 * 1024 * 2; // bytes
constexpr double shareOfPayload = 1448.0 / 1500;

/// A RankedJob is a job of two stages whose messages are activations and their gradients. Its link's queue
/// holds all that windows let in, so that nothing is lost, which would make windows a matter of chance. So would
/// Linux's HyStart, which ends CUBIC's slow start where a connection meets another job's queue. Reno has none.
struct RankedJob
{
    int priority = 0;
    int microbatches = 4;
    int replicas = 1;
};

std::string
JobsOnALink(const std::vector<RankedJob>& jobs)
{
    const std::string site = " nodes: 6 gpus_per_node: 1 gpu: \"A100-80\" }\n";
    std::string text = "data_center { name: \"a\"" + site + "data_center { name: \"b\"" + site + R"(
mtu: 1500
wan_link { from: "a" to: "b" rate: "1Gbps" delay: "5ms" queue: "64MB" }
transport { window: "8MB" congestion_control: "TcpLinuxReno" }
run { warmup_iterations: 1 iterations: 2 }
)";
    for (const RankedJob& job : jobs)
    {
        const std::string count = std::to_string(job.replicas);
        text += "job { name: \"j" + std::to_string(&job - jobs.data()) + "\" " +
                (job.priority == 0 ? "" : "priority: " + std::to_string(job.priority)) +
                " nodes { data_center: \"a\" count: " + count +
                " } nodes { data_center: \"b\" count: " + count + R"( }
  model { transformer { layers: 2 hidden: 1024 heads: 8 vocabulary: 1000 } sequence: 2048 microbatches: )" +
                std::to_string(job.microbatches) +
                " }\n  parallelism { pipeline_stages: 2 data_parallel: " + count +
                " cell_size: " + count + " }\n" + (job.replicas > 1 ? "sharing: TEMPORAL " : "") +
                "}\n";
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
RunText(const std::string& text, std::size_t jobs, const std::vector<std::string>& sets)
{
    const TemporaryFolder folder;
    RunIn(folder.Path(), LoadText(text, sets));
    const std::string trace = (folder.Path() / "trace.pb").string();
    PriorityRun run;
    for (std::uint32_t job = 0; job < jobs; ++job)
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

PriorityRun
RunByPriority(const std::vector<RankedJob>& jobs, const std::string& network)
{
    return RunText(JobsOnALink(jobs), jobs.size(), {"run.network=" + network});
}

class JobPriority : public ::testing::TestWithParam<const char*>
{
  protected:
    PriorityRun Run(const std::vector<RankedJob>& jobs) const
    {
        return RunByPriority(jobs, GetParam());
    }
};

// A message of the first job waits at most for one packet of another, 12 us of its 34 ms, and so do the
// acknowledgements that open windows.
constexpr double onePacket = 12e-6 / 34e-3;

TEST_P(JobPriority, TheGreaterOneIsAsFastAsAlone)
{
    const auto first = Run({{1, 32}, {0, 4}}).jobs;
    EXPECT_NEAR(first[0].iteration, first[0].alone, onePacket * first[0].alone);
    const auto second = Run({{0, 4}, {1, 32}}).jobs;
    EXPECT_NEAR(second[1].iteration, second[1].alone, onePacket * second[1].alone);
    EXPECT_NEAR(second[0].iteration, first[1].iteration, 0.01 * first[1].iteration);
    // The greater one uses 32 activations of 34.8 ms in 1.37 s, 81 % of the link.
    EXPECT_GT(first[1].iteration, 3 * first[1].alone);
    const auto equal = Run({{0, 32}, {0, 4}}).jobs;
    EXPECT_LT(equal[1].iteration, 2 * equal[1].alone);
}

TEST_P(JobPriority, HoldsForTurnsOfPipelines)
{
    const auto jobs = Run({{0, 4, 2}, {1, 8, 2}}).jobs;
    EXPECT_NEAR(jobs[1].iteration, jobs[1].alone, 2 * onePacket * jobs[1].alone);
}

TEST(JobPriorityOverPackets, HoldsAtTheCapOfNodesThatJobsShare)
{
    auto text = JobsOnALink({{1, 32}, {0, 4}});
    text = std::regex_replace(text, std::regex("count: 1"), "count: 1 gpus: 1");
    text = std::regex_replace(
        text, std::regex("nodes: 6 gpus_per_node: 1"), "nodes: 1 gpus_per_node: 2");
    // Connections of the first job rest while those of the other are warmed, which must not shrink windows.
    const std::vector<std::string> sets{"transport.slow_start_after_idle=false",
                                        "caps={node_pair: \"400Mbps\" queue: \"64MB\"}"};
    const auto jobs = RunText(text, 2, sets).jobs;
    EXPECT_NEAR(jobs[0].iteration, jobs[0].alone, 2 * onePacket * jobs[0].alone);
    // 4 activations of 87 ms each way, in the fifth that the first leaves of the cap.
    EXPECT_GT(jobs[1].iteration, 2 * jobs[1].alone);
    EXPECT_LT(jobs[1].iteration, 5 * 2 * 4 * 0.087);
}

TEST_P(JobPriority, IsAMatterOfOrderAlone)
{
    const auto none = Run({{0}, {0}});
    EXPECT_EQ(Run({{5}, {5}}).records, none.records);
    const auto first = Run({{1}, {0}});
    EXPECT_NE(first.records, none.records);
    EXPECT_EQ(Run({{0}, {-1}}).records, first.records);
    EXPECT_EQ(Run({{1000}, {-7}}).records, first.records);
}

TEST_P(JobPriority, OfThreeJobsEachIsAsFastAsWithoutThoseBelow)
{
    const auto all = Run({{-1, 4}, {2, 32}, {1, 8}}).jobs;
    const auto upper = Run({{-1, 8}, {2, 32}}).jobs;
    EXPECT_NEAR(all[1].iteration, all[1].alone, onePacket * all[1].alone);
    // Connections are warmed in another order, and find the first job in other phases.
    EXPECT_NEAR(all[2].iteration, upper[0].iteration, 0.01 * upper[0].iteration);
}

INSTANTIATE_TEST_SUITE_P(OverBothNetworks,
                         JobPriority,
                         ::testing::Values("ANALYTIC", "PACKET"),
                         [](const auto& parameter)
                         { return parameter.index == 0 ? "Analytic" : "Packets"; });

// Of the job with less than a fifth of the link, in the gaps of another, 3.7 % apart.
TEST(JobPriorityOverBothNetworks, TheOtherGetsAlikeShares)
{
    const std::vector<RankedJob> jobs{{1, 32}, {0, 4}};
    const auto iteration = [&jobs](const std::string& network)
    {
        const std::string control = "transport.congestion_control=TcpCubic";
        return RunText(JobsOnALink(jobs), jobs.size(), {"run.network=" + network, control})
            .jobs[1]
            .iteration;
    };
    const double packets = iteration("PACKET");
    EXPECT_NEAR(iteration("ANALYTIC"), packets, 0.06 * packets);
}

TEST_P(JobPriority, IsThatOfAClassWithTheJob)
{
    const std::string network = std::string("run.network=") + GetParam();
    const auto byJob = Run({{1, 32}, {0, 4}});
    const std::string ofFirst = "traffic_class[0]={name: \"first\" job: \"j0\" priority: 1}";
    EXPECT_EQ(RunText(JobsOnALink({{0, 32}, {0, 4}}), 2, {network, ofFirst}).records,
              byJob.records);
}

TEST_P(JobPriority, OfActivationsMakesGradientsWait)
{
    // The second job all-reduces over the link after each of its short iterations.
    const std::string text = JobsOnALink({{0, 32}}) + R"(
job { name: "ring" nodes { data_center: "a" count: 1 } nodes { data_center: "b" count: 1 }
  model { transformer { layers: 2 hidden: 1024 heads: 8 vocabulary: 1000 } sequence: 256 microbatches: 1 }
  parallelism { pipeline_stages: 1 data_parallel: 2 across: REPLICAS } }
)";
    const std::string network = std::string("run.network=") + GetParam();
    const auto equal = RunText(text, 2, {network, "run.iterations=4"}).jobs;
    const auto ofKinds =
        RunText(text,
                2,
                {network,
                 "run.iterations=4",
                 "traffic_class[0]={name: \"activations\" kind: ACTIVATIONS priority: 2}",
                 "traffic_class[1]={name: \"gradients\" kind: GRADIENTS priority: 1}"})
            .jobs;
    EXPECT_GT(equal[0].iteration, 1.05 * equal[0].alone); // 1.08 over packets and without
    // As above, with one more packet for each of the other job's connections that was warmed.
    EXPECT_NEAR(ofKinds[0].iteration, ofKinds[0].alone, 2 * onePacket * ofKinds[0].alone);
    EXPECT_GT(ofKinds[1].iteration, equal[1].iteration);
}

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
    RunIn(folder.Path(), LoadText(JobsOnALink({{priority, 16}}) + transfer, {"run.iterations=4"}));
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

TEST(JobPriorityAndTransfers, AMessageGetsWhatTheJobLeaves)
{
    const auto run =
        RunBeside(1, "transfer { from: \"a\" to: \"b\" size: \"400MB\" messages: 1 }\n");
    EXPECT_NEAR(run.iteration, run.alone, onePacket * run.alone);
    // The link never rests, but for a slow start, until the message has come, 5 ms after its last byte was
    // sent. 5 iterations send 16 activations each this way, and have ended by then.
    const double sent = run.bytes + 5 * 16 * activation;
    EXPECT_GT(run.seconds, 5 * run.alone);
    EXPECT_NEAR(run.seconds - 0.005, sent * 8 / shareOfPayload / 1e9, 0.02 * run.seconds);
}

TEST(JobPriorityAndTransfers, AFlowGetsWhatTheJobLeaves)
{
    const std::string flow = "transfer { from: \"a\" to: \"b\" duration: \"3s\" flow { name: "
                             "\"bulk\" connections: 4 } }\n";
    const auto above = RunBeside(1, flow);
    EXPECT_NEAR(above.iteration, above.alone, onePacket * above.alone);
    // In 3 s the job sends 3 s / iteration times 16 activations. Slow start takes 70 ms, and what waits in
    // the queue at the end is not delivered.
    const double ofJob = 3 / above.iteration * 16 * activation;
    EXPECT_NEAR((above.bytes + ofJob) * 8 / shareOfPayload, 3e9, 0.05 * 3e9);
}

} // namespace

} // namespace geotrain
