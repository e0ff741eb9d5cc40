// SPDX-License-Identifier: GPL-2.0-only
// Tests what keeps a run from using up the machine or an evening: the wall-clock deadline, the limit
// on memory, and inputs that were made to hurt (where the shared data are there).
#include "program-test.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string>

namespace
{

namespace fs = std::filesystem;
using geotrain::Contents;

class Limits : public geotrain::ProgramTest
{
  protected:
    void SetUp() override
    {
        WriteSmall();
        // Without variants, since GPipe does not hold thousands of microbatches.
        Write("deep.textproto", R"(
model { transformer { layers: 4 hidden: 256 heads: 4 vocabulary: 1000 } sequence: 128 microbatches: 30000 }
parallelism { pipeline_stages: 2 }
data_center { name: "a" nodes: 1 gpus_per_node: 1 gpu: "A100-80" }
data_center { name: "b" nodes: 1 gpus_per_node: 1 gpu: "A100-80" }
wan_link { from: "a" to: "b" rate: "10Gbps" delay: "10ms" }
)");
        // Minutes of wall time, before time 0 (the warming) and after it.
        Write("long.textproto", R"(
transfer { size: "1TB" messages: 5 }
data_center { name: "a" nodes: 1 }
data_center { name: "b" nodes: 1 }
wan_link { from: "a" to: "b" rate: "10Gbps" delay: "10ms" }
transport { connections: 2 }
)");
    }

    /// Returns the seconds that a run of the program takes.
    double SecondsOf(const std::string& arguments, Outcome& outcome) const
    {
        const auto begin = std::chrono::steady_clock::now();
        outcome = Geotrain(arguments);
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    }

    /// Returns the path of a hostile input; empty where it is not there.
    static std::string Hostile(const std::string& name)
    {
        const auto path = std::string(GEOTRAIN_SHARED_DATA) + "/hostile/" + name;
        return fs::exists(path) ? "'" + path + "'" : "";
    }
};

bool
Has(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

/// Deadlines count wall time, so that the bounds here are wide.
constexpr double soon = 20; // seconds

TEST_F(Limits, AWallDeadlineEndsTheWarmingWithAReadableTrace)
{
    Outcome outcome;
    const double seconds =
        SecondsOf("run long.textproto --wall-deadline 500ms --out late --quiet", outcome);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_LT(seconds, soon);
    EXPECT_TRUE(Has(outcome.error, "wall-clock deadline of 0.5 s (--wall-deadline"))
        << outcome.error;
    EXPECT_EQ(Geotrain("export late --format csv").code, 0);
    const auto info = nlohmann::json::parse(Contents(m_folder / "late/run-info.json"));
    EXPECT_EQ(info["exit_code"], 2);
}

TEST_F(Limits, AWallDeadlineSaysWhoWaitsForWhat)
{
    // Some 10^9 packets after time 0: the analytic network has no warming.
    Outcome outcome;
    const double seconds =
        SecondsOf("run small.textproto --network analytic --set run.iterations=100000 "
                  "--wall-deadline 300ms --out late --quiet",
                  outcome);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_LT(seconds, soon);
    EXPECT_TRUE(Has(outcome.error, "--wall-deadline")) << outcome.error;
    EXPECT_TRUE(Has(outcome.error, "replica 0 stage 0: iteration ")) << outcome.error;
    EXPECT_EQ(Geotrain("figures late").code, 0);
}

TEST_F(Limits, AWallDeadlineEndsEveryVerbAndWorkload)
{
    const std::string training = R"(
model { transformer { layers: 8 hidden: 1024 heads: 16 vocabulary: 8000 } microbatches: 4 sequence: 1024 }
parallelism { pipeline_stages: 2 data_parallel: 2 }
data_center { name: "a" nodes: 2 gpus_per_node: 1 gpu: "A100-80" }
data_center { name: "b" nodes: 2 gpus_per_node: 1 gpu: "A100-80" }
wan_link { from: "a" to: "b" rate: "10Gbps" delay: "10ms" }
run { iterations: 100000 deadline: "100000h" wall_deadline: "1s" network: ANALYTIC }
)";
    // The most steps that a fill job's pass may have: 10^8 of them to plan it, for each kind of GPU.
    std::string steps;
    for (int model = 0; model < 20; ++model)
    {
        const auto name = std::to_string(model);
        steps += "model { name: \"m" + name +
                 "\" samples: 1000000 operator { name: \"op\" duration: "
                 "\"" +
                 std::to_string(model + 1) +
                 "ns\" memory: \"1GB\" times: 10000 } }\n"
                 "mix { model: \"m" +
                 name + "\" }\n";
    }
    Write("fill.textproto",
          training + "fill_jobs { jobs: 1000 context_switch: \"0\" " + steps + "}");
    Write("training.textproto", training);
    Write("packets.textproto", training);
    Write("two.textproto", training + "variant { name: \"x\" } variant { name: \"y\" }");
    const std::string limited = " --wall-deadline 1s --quiet --force --out late";
    for (const std::string& arguments :
         {"run training.textproto" + limited,
          "run packets.textproto --set run.network=PACKET" + limited,
          "run fill.textproto" + limited,
          "compare two.textproto --jobs 2" + limited,
          // The search of so few GPUs takes less than a second, each plan's run some ten.
          "plan training.textproto --packets 0" + limited,
          "run long.textproto --set transport.bearer=DEVICE" + limited,
          "run long.textproto --set transport.bearer=STOCK" + limited,
          std::string("transfer --bytes 1TB --rate 10Gbps --rtt 10ms --wall-deadline 1s --quiet")})
    {
        Outcome outcome;
        const double seconds = SecondsOf(arguments, outcome);
        EXPECT_EQ(outcome.code, 2) << arguments << ": " << outcome.error;
        EXPECT_LT(seconds, soon) << arguments;
        EXPECT_TRUE(Has(outcome.error, "wall-clock deadline"))
            << arguments << ": " << outcome.error;
    }
    // It plans all of these fill jobs: a second of processor time where each plan's steps are limited.
    Outcome checked;
    EXPECT_LT(SecondsOf("check fill.textproto --quiet --set run.wall_deadline=1h", checked), soon);
    EXPECT_EQ(checked.code, 0) << checked.error;
}

TEST_F(Limits, AWallDeadlineThatDoesNotComeChangesNoByte)
{
    ASSERT_EQ(Geotrain("run small.textproto --out plain --quiet").code, 0);
    ASSERT_EQ(Geotrain("run small.textproto --wall-deadline 1h --set run.memory_limit=1GB "
                       "--out limited --quiet")
                  .code,
              0);
    EXPECT_TRUE(Unpacked(m_folder / "plain/trace.pb") == Unpacked(m_folder / "limited/trace.pb"));
    for (const auto* name : {"scenario.textproto", "summary.csv"})
    {
        EXPECT_EQ(Contents(m_folder / "plain" / name), Contents(m_folder / "limited" / name))
            << name;
    }
}

TEST_F(Limits, ARunThatNeedsMoreMemoryThanItMayTakeEndsWithTheField)
{
    // Four pairs over the WAN with 1,000 connections of some 27 kB each are 108 MB.
    const auto outcome =
        Geotrain("run small.textproto --set run.memory_limit=60MB --set "
                 "transport.connections=1000 --set transport.bearer=DEVICE "
                 "--set parallelism.data_parallel=2 --quiet --out r");
    EXPECT_EQ(outcome.code, 1);
    EXPECT_TRUE(Has(outcome.error,
                    "small.textproto: run.memory_limit: more than 60 MB of memory are needed"))
        << outcome.error;
    EXPECT_EQ(std::count(outcome.error.begin(), outcome.error.end(), '\n'), 1) << outcome.error;
    EXPECT_FALSE(fs::exists(m_folder / "r/summary.csv"));
}

// With some of these limits memory lacks in a std::call_once of Protobuf's, through which an error is passed by
// a library that glibc loads for it.
TEST_F(Limits, AnySmallLimitOfMemoryEndsWithTheField)
{
    for (int limit = 1000; limit < 2600; limit += 100)
    {
        const auto kilobytes = std::to_string(limit) + "kB";
        const auto outcome =
            Geotrain("run two-jobs-one-wan --set run.network=ANALYTIC --quiet --out r" + kilobytes +
                     " --set run.memory_limit=" + kilobytes);
        EXPECT_EQ(outcome.code, 1) << kilobytes << ": " << outcome.error;
        EXPECT_TRUE(Has(outcome.error, "run.memory_limit: more than ")) << outcome.error;
    }
}

TEST_F(Limits, ACheckSaysWhatARunTakesAboutAndMayTake)
{
    const auto estimates = [this](const std::string& sets)
    {
        const auto checked = Geotrain("check small.textproto --json" + sets);
        return nlohmann::json::parse(checked.out)["estimates"];
    };
    const auto small = estimates("");
    const auto large = estimates(" --set run.iterations=100");
    EXPECT_GT(small["run_memory_bytes"], 1e7);
    EXPECT_LT(small["run_memory_bytes"], 1e8);
    EXPECT_GT(large["run_memory_bytes"], small["run_memory_bytes"]);
    EXPECT_GT(large["run_wall_s"], small["run_wall_s"]);
    const auto text = Geotrain("check small.textproto --set run.memory_limit=1GB").out;
    EXPECT_TRUE(Has(text, "1 GB")) << text;
}

TEST_F(Limits, MicrobatchesThatDoNotFitEndWhileTheyAreMade)
{
    Outcome outcome;
    const double seconds = SecondsOf("check small.textproto --set model.microbatches=100000 --set "
                                     "run.memory_limit=40MB",
                                     outcome);
    EXPECT_EQ(outcome.code, 1);
    EXPECT_LT(seconds, soon);
    EXPECT_TRUE(Has(outcome.error, "small.textproto: run.memory_limit: more than 40 MB"))
        << outcome.error;
}

TEST_F(Limits, RunsThatHaveNoRoomTogetherGoOneAfterAnother)
{
    // A run of the small scenario is estimated to take 30 MB, of which two have no room.
    const auto outcome =
        Geotrain("compare small.textproto --jobs 2 --set run.memory_limit=58MB --out both");
    EXPECT_EQ(outcome.code, 0) << outcome.error;
    EXPECT_TRUE(fs::exists(m_folder / "both/comparison.csv"));
}

TEST_F(Limits, ATransferThatNeedsTooMuchMemoryEndsWithASentence)
{
    // 5 GB in flight, in segments of 1,448 bytes that take 56 bytes each at their sender, are 193 MB; 80 %
    // of 164 MB are 131. Bursts take little on the links.
    const std::string limited =
        "ulimit -v 160000; '" GEOTRAIN_PROGRAM "' transfer --bytes 8GB --rate 100Gbps --rtt 400ms "
        "--window 1GB --connections 10 2> error.txt";
    const int status = std::system(("cd '" + m_folder.string() + "'; " + limited).c_str());
    const auto error = Contents(m_folder / "error.txt");
    EXPECT_EQ(WEXITSTATUS(status), 1) << error;
    EXPECT_TRUE(Has(error, "transfer: more than 131.1 MB of memory are needed")) << error;
    EXPECT_TRUE(Has(error, "(default: 80 % of the machine's memory, or of `ulimit -v`)")) << error;
    EXPECT_FALSE(Has(error, "run.")) << error; // a transfer has no scenario
}

TEST_F(Limits, AMessageOfManyChunksTakesNoMemoryForThem)
{
    // 10^9 chunks; a list of them would take 16 GB. Under ulimit the program has 2 GB.
    const std::string limited = "ulimit -v 2000000; '" GEOTRAIN_PROGRAM
                                "' run long.textproto --set transport.chunk=1kB --wall-deadline 2s "
                                "--out chunks --quiet 2> error.txt";
    const int status = std::system(("cd '" + m_folder.string() + "'; " + limited).c_str());
    EXPECT_EQ(WEXITSTATUS(status), 2) << Contents(m_folder / "error.txt");
}

TEST_F(Limits, ASearchedScheduleOfManyMicrobatchesIsMadeSoon)
{
    for (const auto* schedule : {"cross-dc", "zb-2p", "zb-v", "atlas"})
    {
        Outcome outcome;
        const double seconds = SecondsOf(
            std::string("check deep.textproto --quiet --set schedule.name=") + schedule, outcome);
        EXPECT_EQ(outcome.code, 0) << schedule << ": " << outcome.error;
        EXPECT_LT(seconds, soon) << schedule;
    }
}

TEST_F(Limits, AGraphOfVeryManyLinksIsCheckedSoon)
{
    // Numbering 120,000 parallel links one by one took half a minute.
    std::string graph = "graph [ node [ id 0 Latitude 0 Longitude 0 ] "
                        "node [ id 1 Latitude 1 Longitude 1 ]\n";
    for (int link = 0; link < 120000; ++link)
    {
        graph += "edge [ source 0 target 1 ]\n";
    }
    Write("links.gml", graph + "]");
    Outcome outcome;
    const double seconds =
        SecondsOf("check small.textproto --quiet --set topology_import.file=links.gml", outcome);
    EXPECT_EQ(outcome.code, 0) << outcome.error;
    EXPECT_LT(seconds, soon);
}

TEST_F(Limits, HostileGraphsAndConfigurationsAreReadOrRefusedSoon)
{
    for (const std::string name : {"ampersands.gml", "links.json", "quad.graphml"})
    {
        const auto path = Hostile(name);
        if (path.empty())
        {
            GTEST_SKIP() << "no hostile inputs in " GEOTRAIN_SHARED_DATA;
        }
        Outcome outcome;
        const double seconds =
            SecondsOf("check small.textproto --set topology_import.file=" + path, outcome);
        EXPECT_LE(outcome.code, 1) << name;
        EXPECT_LT(seconds, soon) << name;
        EXPECT_FALSE(Has(outcome.error, "parser error")) << outcome.error;
        EXPECT_LT(outcome.error.size(), 500u) << name;
    }
    const auto nested = Geotrain("timing --gpu A100-40 --model " + Hostile("nested-config.json"));
    EXPECT_EQ(nested.code, 1);
    EXPECT_TRUE(Has(nested.error, "deep")) << nested.error;
}

TEST_F(Limits, ASmallWindowEndsOnTheAnalyticNetwork)
{
    const auto path = Hostile("small-window.textproto");
    if (path.empty())
    {
        GTEST_SKIP() << "no hostile inputs in " GEOTRAIN_SHARED_DATA;
    }
    EXPECT_EQ(Geotrain("run --network analytic --quiet --wall-deadline 20s " + path).code, 0);
}

TEST_F(Limits, AStockOutageEndsAtItsWallDeadline)
{
    const auto path = Hostile("stock-outage.textproto");
    if (path.empty())
    {
        GTEST_SKIP() << "no hostile inputs in " GEOTRAIN_SHARED_DATA;
    }
    Outcome outcome;
    const double seconds =
        SecondsOf("run --wall-deadline 1s --out outage --quiet " + path, outcome);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_LT(seconds, soon);
    EXPECT_TRUE(Has(outcome.error, "--wall-deadline")) << outcome.error;
}

} // namespace
