// SPDX-License-Identifier: GPL-2.0-only
// Several jobs on one testbed, over packets and without: jobs apart leave each other alone, jobs on one
// link slow each other down, and flows go beside a job.
#include "loader/scenario-loader.h"
#include "metrics/summary.h"
#include "trace/trace-reader.h"

#include "error-text.h"
#include "scenario-runs.h"
#include "small-scenario.h"
#include "temporary-folder.h"

#include <gtest/gtest.h>

namespace geotrain
{

namespace
{

/// Two jobs of two stages, 16 microbatches of 4 MB each way: on four sites in pairs where `apart`, else
/// on one pair of sites.
std::string
TwoJobs(bool apart)
{
    const auto job = [](const std::string& name, const std::string& from, const std::string& to)
    {
        return "job { name: \"" + name + "\" nodes { data_center: \"" + from +
               "\" count: 1 } nodes { data_center: \"" + to + R"(" count: 1 }
  model { transformer { layers: 2 hidden: 1024 heads: 8 vocabulary: 1000 } sequence: 2048 microbatches: 16 }
  parallelism { pipeline_stages: 2 } }
)";
    };
    const std::string site = R"( nodes: 2 gpus_per_node: 1 gpu: "A100-80" })";
    return "data_center { name: \"a\"" + site + "data_center { name: \"b\"" + site +
           "data_center { name: \"c\"" + site + "data_center { name: \"d\"" + site + R"(
wan_link { from: "a" to: "b" rate: "1Gbps" delay: "5ms" }
wan_link { from: "c" to: "d" rate: "1Gbps" delay: "5ms" }
wan_link { from: "b" to: "c" rate: "1Gbps" delay: "5ms" }
transport { window: "8MB" }
run { warmup_iterations: 1 iterations: 2 }
)" + job("one", "a", "b") +
           (apart ? job("two", "c", "d") : job("two", "a", "b"));
}

struct JobRun
{
    double iteration = 0; ///< seconds
    double alone = 0;     ///< seconds
    double wanBytes = 0;
};

std::vector<JobRun>
RunJobs(const std::string& text, const std::vector<std::string>& sets = {})
{
    const TemporaryFolder folder;
    RunIn(folder.Path(), LoadText(text, sets));
    std::vector<JobRun> runs;
    for (std::uint32_t job = 0; job < 2; ++job)
    {
        const std::string trace = (folder.Path() / "trace.pb").string();
        TraceReader reader(trace, job);
        const auto summary = Summarize(reader);
        JobRun run;
        run.iteration = summary.Find("iteration_time").value();
        run.wanBytes = summary.Find("wan_bytes").value();
        TraceReader again(trace, job);
        while (const auto record = again.Next())
        {
            run.alone =
                record->has_run_end() ? record->run_end().iteration_time_alone_s() : run.alone;
        }
        runs.push_back(run);
    }
    return runs;
}

class Jobs : public ::testing::TestWithParam<const char*>
{
};

TEST_P(Jobs, OnLinksOfTheirOwnTakeAsLongAsAlone)
{
    for (const JobRun& run : RunJobs(TwoJobs(true), {GetParam()}))
    {
        EXPECT_GT(run.alone, 0);
        // Over packets, random streams and instants of events differ by rounding at most.
        EXPECT_NEAR(run.iteration, run.alone, 1e-6 * run.alone);
        // 16 activations and 16 gradients of 2,048 x 1,024 x 2 bytes an iteration.
        EXPECT_EQ(run.wanBytes, 16.0 * 2 * 2048 * 1024 * 2);
    }
}

TEST_P(Jobs, OnOneLinkSlowEachOtherDown)
{
    const auto runs = RunJobs(TwoJobs(false), {GetParam()});
    double together = 0;
    for (const JobRun& run : runs)
    {
        EXPECT_GT(run.iteration, 1.2 * run.alone);
        EXPECT_EQ(run.wanBytes, 16.0 * 2 * 2048 * 1024 * 2); // its own, without the other's
        together = std::max(together, run.iteration);
    }
    // One direction of 1 Gbit/s carries 2 x 16 x 4.2 MB in no less than 1.07 s.
    EXPECT_GT(together, 2 * 16 * 2048 * 1024 * 2 * 8 / 1e9);
}

/// One GPU of node 0 of each site, whose nodes have two, and a window of 128 kB per round trip of 10 ms:
/// 105 Mbit/s, so that a link of 1 Gbit/s has room for several.
std::string
OnNodesThatAreShared(const std::string& text)
{
    std::string shared = text;
    const auto replace = [&shared](const std::string& from, const std::string& to)
    {
        for (auto at = shared.find(from); at != std::string::npos; at = shared.find(from, at))
        {
            shared.replace(at, from.size(), to);
            at += to.size();
        }
    };
    replace("count: 1 }", "count: 1 gpus: 1 }");
    replace("gpus_per_node: 1", "gpus_per_node: 2");
    replace("nodes: 2", "nodes: 1");
    replace("8MB", "128kB");
    return shared;
}

TEST_P(Jobs, OnTheSameNodesHaveConnectionsOfTheirOwn)
{
    for (const JobRun& run : RunJobs(OnNodesThatAreShared(TwoJobs(false)), {GetParam()}))
    {
        // 4.2 MB at a window per round trip takes 0.32 s, 32 times, half of them at the same time as
        // others. Packets of the other job delay one's own by microseconds.
        EXPECT_GT(run.iteration, 16 * 0.32);
        EXPECT_NEAR(run.iteration, run.alone, 0.01 * run.alone);
    }
}

TEST(JobsAndMessages, OnTheSameNodesHaveConnectionsOfTheirOwn)
{
    const auto text = OnNodesThatAreShared(TwoJobs(false)) +
                      "transfer { from: \"a\" to: \"b\" size: \"4MB\" messages: 40 }\n";
    for (const JobRun& run : RunJobs(text))
    {
        EXPECT_NEAR(run.iteration, run.alone, 0.01 * run.alone);
    }
}

/// Returns the warnings of a run that name a slowdown.
std::vector<std::string>
SlowdownWarnings(const std::string& text, const std::vector<std::string>& sets)
{
    const TemporaryFolder folder;
    RunIn(folder.Path(), LoadText(text, sets));
    TraceReader reader((folder.Path() / "trace.pb").string());
    std::vector<std::string> warnings;
    while (const auto record = reader.Next())
    {
        if (record->warning().text().find("slowdown") != std::string::npos)
        {
            warnings.push_back(record->warning().text());
        }
    }
    return warnings;
}

TEST_P(Jobs, AWarningNamesWhatEndsBeforeTheMeasuredIterationsOfAJob)
{
    const auto text = TwoJobs(true);
    EXPECT_EQ(SlowdownWarnings(text, {GetParam()}), std::vector<std::string>());
    const auto shorter = SlowdownWarnings(text, {GetParam(), "job[1].model.microbatches=4"});
    ASSERT_EQ(shorter.size(), 1U);
    EXPECT_EQ(shorter[0].find("job two ended at "), 0U) << shorter[0];
    const auto later = SlowdownWarnings(text, {GetParam(), "job[1].start=2s"});
    ASSERT_EQ(later.size(), 2U); // the second is without the first at its end
    EXPECT_EQ(later[0].find("job two began at 2.000 s, after"), 0U) << later[0];
    EXPECT_EQ(later[1].find("job one ended at "), 0U) << later[1];
}

INSTANTIATE_TEST_SUITE_P(OverBothNetworks,
                         Jobs,
                         ::testing::Values("run.network=ANALYTIC", "run.network=PACKET"),
                         [](const auto& parameter)
                         { return parameter.index == 0 ? "Analytic" : "Packets"; });

TEST(JobsAndFlows, AFlowTakesItsShareOfTheLinkAndIsMeasured)
{
    const auto text = TwoJobs(true) +
                      "transfer { from: \"a\" to: \"b\" duration: \"3s\" flow { name: \"bulk\" "
                      "connections: 4 } }\n";
    const TemporaryFolder folder;
    RunIn(folder.Path(), LoadText(text));
    const std::string trace = (folder.Path() / "trace.pb").string();
    TraceReader first(trace, 0);
    TraceReader second(trace, 1);
    // The flow has the first job's link.
    EXPECT_GT(Summarize(first).Find("iteration_time").value(),
              1.2 * Summarize(second).Find("iteration_time").value());
    TraceReader flows(trace, 2);
    EXPECT_EQ(flows.Header().job(), "transfer");
    double delivered = 0;
    while (const auto record = flows.Next())
    {
        delivered += record->has_flow_totals()
                         ? static_cast<double>(record->flow_totals().delivered_bytes())
                         : 0;
    }
    EXPECT_GT(8 * delivered / 3, 0.2e9); // bit/s
    EXPECT_LT(8 * delivered / 3, 1e9);
}

TEST(JobsWithFillers, AnErrorNamesTheJob)
{
    // No prompt is served within a microsecond.
    const auto text = TwoJobs(true);
    const auto experiment =
        LoadText(text,
                 {"run.network=ANALYTIC",
                  "job[1].inference={model: \"llama3-8b\" ttft_objective: \"1us\" "
                  "generator {requests_per_second: 20}}"});
    const TemporaryFolder folder;
    const auto error = ErrorText([&] { RunIn(folder.Path(), experiment); });
    EXPECT_NE(error.find("job \"two\".inference.ttft_objective"), std::string::npos) << error;
}

} // namespace

} // namespace geotrain
