// SPDX-License-Identifier: GPL-2.0-only
// The same scenario and seed give the same trace, byte for byte after decompression, and the same
// summary. Unrelated changes of a scenario shift nothing. Each run is a process of its own, since
// ns-3 keeps its simulator in globals.
#include "loader/scenario-loader.h"
#include "scenario-runs.h"
#include "trace/gzip-source.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

namespace geotrain
{

namespace
{

namespace fs = std::filesystem;

const char* const scenarioText = R"(
name: "small"
model { transformer { layers: 4 hidden: 128 heads: 4 vocabulary: 1000 } sequence: 1024 microbatches: 4 }
parallelism { pipeline_stages: 2 data_parallel: 2 }
data_center { name: "a" nodes: 2 gpus_per_node: 1 gpu: "A100-80" stages: 1 }
data_center { name: "b" nodes: 2 gpus_per_node: 1 gpu: "A100-80" stages: 1 }
wan_link { from: "a" to: "b" rate: "1Gbps" delay: "10ms" loss: 0.001 }
transport { connections: 2 }
run { iterations: 2 warmup_iterations: 1 compute_jitter: 0.05 }
)";

std::string
Decompressed(const fs::path& path)
{
    GzipSource source(path.string());
    std::string text;
    std::vector<char> part(65536);
    while (const std::size_t size = source.Read(part.data(), part.size()))
    {
        text.append(part.data(), size);
    }
    return text;
}

struct Results
{
    std::string trace;
    std::string summary;
};

Results
ResultsOf(const std::string& name, const std::vector<Assignment>& assignments)
{
    const TemporaryFolder folder;
    // The command line differs, and must not show in the results.
    RunInAProcess(
        folder.Path(),
        [&] {
            return LoadScenario({"small.textproto", ".", scenarioText}, assignments);
        },
        name);
    return {Decompressed(folder / "trace.pb"), Contents(folder / "summary.csv")};
}

TEST(Determinism, PacketRunsGiveTheSameBytesTwice)
{
    const auto first = ResultsOf("first", {});
    const auto second = ResultsOf("second", {});
    EXPECT_GT(first.trace.size(), 1000U);
    EXPECT_TRUE(first.trace == second.trace);
    EXPECT_EQ(first.summary, second.summary);
}

TEST(Determinism, AnalyticRunsGiveTheSameBytesTwice)
{
    const std::vector<Assignment> analytic{{"run.network=ANALYTIC", ""}};
    EXPECT_TRUE(ResultsOf("first", analytic).trace == ResultsOf("second", analytic).trace);
}

TEST(Determinism, AnotherSeedGivesOtherBytes)
{
    EXPECT_FALSE(ResultsOf("first", {}).trace == ResultsOf("second", {{"run.seed=2", ""}}).trace);
}

// This is the negative of the first test: the comparison would notice a difference.
TEST(Determinism, AnUnrelatedSiteShiftsNoDraw)
{
    const auto plain = ResultsOf("plain", {});
    const auto more =
        ResultsOf("more",
                  {{"transit_site[0].name=far", ""},
                   {"wan_link[1]={from: \"b\" to: \"far\" delay: \"5ms\" loss: 0.01}", ""}});
    EXPECT_EQ(plain.summary, more.summary);
}

} // namespace

} // namespace geotrain
