// SPDX-License-Identifier: GPL-2.0-only
// Tests `geotrain plan` end to end: listed plans take what a run of them takes, what-ifs differ, and
// bad input ends with exit 1.
#include "program-test.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <sys/wait.h>

namespace
{

namespace fs = std::filesystem;
using geotrain::Contents;

class PlanCli : public geotrain::ProgramTest
{
  protected:
    void SetUp() override
    {
        Write("small.textproto", R"(
model { transformer { layers: 4 hidden: 512 heads: 8 vocabulary: 1000 } sequence: 512 microbatches: 8 }
parallelism { pipeline_stages: 2 data_parallel: 2 }
data_center { name: "a" nodes: 2 gpus_per_node: 1 gpu: "A100-80" }
data_center { name: "b" nodes: 2 gpus_per_node: 1 gpu: "A100-80" }
wan_link { from: "a" to: "b" rate: "10Gbps" delay: "1ms" }
transport { connections: 4 window: "1MB" }
plan { schedule: "1f1b" schedule: "gpipe" }
price { region: "a" dollars_per_gpu_hour: 2 dollars_per_egress_gb: 0.05 }
price { region: "b" dollars_per_gpu_hour: 3 dollars_per_egress_gb: 0.05 }
)");
    }

    /// Plans into p, and sends the signal when there is the file `sign`. Returns the exit code; out and
    /// err get what the program said.
    int Interrupted(const std::string& arguments,
                    const std::string& signal,
                    const std::string& sign) const
    {
        const auto command = "cd '" + m_folder.string() + "'; '" GEOTRAIN_PROGRAM "' plan " +
                             arguments + " --out p > out 2> err & pid=$!; until [ -f " + sign +
                             " ] || ! kill -0 $pid; do sleep 0.05; done; kill -" + signal +
                             " $pid; wait $pid";
        const int status = std::system(command.c_str());
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }

    nlohmann::json Json(const std::string& arguments) const
    {
        const auto outcome = Geotrain(arguments + " --json");
        EXPECT_EQ(outcome.code, 0) << outcome.error;
        return nlohmann::json::parse(outcome.out);
    }

    void ExpectListedAsRun(const nlohmann::json& plan) const;
};

/// Expects that a run of each listed plan on the analytic network takes what the list says, to the last
/// digit, and warns of nothing that the scenario itself doesn't.
void
PlanCli::ExpectListedAsRun(const nlohmann::json& plan) const
{
    for (const auto& listed : plan["plans"])
    {
        const std::string file = listed["file"];
        const auto run = Json("run " + file + " --network analytic --out a --force");
        EXPECT_EQ(run["iteration_time_s"], listed["iteration_time_s"]) << file;
        EXPECT_EQ(run["warning_texts"].dump().find("changes nothing"), std::string::npos) << run;
    }
}

TEST_F(PlanCli, EveryListedPlanTakesWhatARunOfItTakes)
{
    // Stages lie in both data centres, so that the WAN counts.
    const auto across =
        Json("plan small.textproto --set plan.pipeline_stages=[4] --packets 0 --out p");
    EXPECT_GT(across["legal_candidates"], 5);
    ASSERT_GE(across["plans"].size(), 2u);
    ExpectListedAsRun(across);
    // What a run measures counts: the first iteration, and nothing else.
    const auto cold = Json("plan small.textproto --set run.warmup_iterations=0 --set "
                           "run.iterations=1 --set run.all_reduce_fidelity=PACKETS --packets 0 "
                           "--out q");
    ASSERT_GE(cold["plans"].size(), 2u);
    ExpectListedAsRun(cold);
    EXPECT_EQ(Geotrain("run p/plan-1.textproto --network packet --out b").code, 0);
}

TEST_F(PlanCli, TheListFitsAScreen)
{
    const auto outcome = Geotrain("plan small.textproto --packets 0 --out p");
    const auto end = outcome.out.find("* none is both as fast and as cheap");
    ASSERT_NE(end, std::string::npos) << outcome.out;
    EXPECT_LE(std::count(outcome.out.begin(),
                         outcome.out.begin() + static_cast<std::ptrdiff_t>(end),
                         '\n'),
              24)
        << outcome.out;
    std::istringstream lines(outcome.out);
    for (std::string line; std::getline(lines, line);)
    {
        EXPECT_LE(line.size(), 100u) << line;
    }
    EXPECT_NE(outcome.out.find("figures: "), std::string::npos) << outcome.out;
}

TEST_F(PlanCli, AnInterruptedSearchEndsAtOnceWithoutAPlan)
{
    for (const std::string signal : {"INT", "TERM"})
    {
        EXPECT_EQ(Interrupted("ten-thousand-gpus", signal, "p/run-info.json"),
                  signal == "INT" ? 130 : 143);
        EXPECT_EQ(Contents(m_folder / "out"), "");
        EXPECT_FALSE(fs::exists(m_folder / "p/plan-1.textproto"));
        fs::remove_all(m_folder / "p");
    }
}

TEST_F(PlanCli, InterruptedPacketsKeepThePlans)
{
    // With 3,000 iterations, the packets of the best plan take a while.
    EXPECT_EQ(Interrupted("small.textproto --set plan.pipeline_stages=[2] --set "
                          "run.iterations=3000 --top 1 --packets 1",
                          "INT",
                          "p/plan-1/trace.pb"),
              2);
    EXPECT_NE(Contents(m_folder / "err")
                  .find("interrupted: 0 of 1 plans have run over packets; all are in p\n"),
              std::string::npos);
    EXPECT_NE(Contents(m_folder / "out").find("p/plan-N.textproto"), std::string::npos);
    EXPECT_TRUE(fs::exists(m_folder / "p/plans.csv"));
}

TEST_F(PlanCli, TheBestTwoRunOverPackets)
{
    const auto plan = Json("plan small.textproto --top 5 --out p");
    for (std::size_t rank = 0; rank < plan["plans"].size(); ++rank)
    {
        const auto& listed = plan["plans"][rank];
        ASSERT_EQ(listed.contains("packets_s"), rank < 2) << listed;
        if (rank < 2)
        {
            EXPECT_GT(listed["packets_s"], 0);
            EXPECT_DOUBLE_EQ(
                listed["error"].get<double>(),
                listed["iteration_time_s"].get<double>() / listed["packets_s"].get<double>() - 1);
        }
    }
    EXPECT_TRUE(fs::exists(m_folder / "p/plan-2/trace.pb"));
    const auto outcome = Geotrain("plan small.textproto --top 5 --out q");
    EXPECT_NE(outcome.error.find("running the 2 best plans over packets, about "),
              std::string::npos)
        << outcome.error;
}

TEST_F(PlanCli, WhatIsTooLargeForPacketsSaysSo)
{
    // Over ns-3's own sockets, 3,000 iterations of some 10 MB are 20 million packets: ten minutes.
    const auto outcome = Geotrain("plan small.textproto --top 1 --set plan.pipeline_stages=[4] "
                                  "--set transport.bearer=STOCK --set run.iterations=3000 --out p");
    EXPECT_EQ(outcome.code, 0) << outcome.error;
    EXPECT_NE(outcome.out.find("plan 1 did not run over packets"), std::string::npos)
        << outcome.out;
}

// With unfused attention, microbatches of 2 beat those of 4 by 0.04 % on the analytic network; over
// packets of ns-3's TCP and CUBIC they lose by 1.9 %.
TEST_F(PlanCli, PacketsThatReverseTheRankingAreAWarning)
{
    const auto plan = Json("plan small.textproto --set plan.schedule=1f1b --set "
                           "plan.pipeline_stages=[2] --set plan.data_parallel=[1] --set "
                           "transport.bearer=STOCK --set model.attention=UNFUSED --set "
                           "transport.congestion_control=ns3::TcpCubic --packets 4 --out p");
    std::size_t reversed = 0;
    for (std::size_t first = 0; first < 4; ++first)
    {
        for (std::size_t second = first + 1; second < 4; ++second)
        {
            const auto& a = plan["plans"][first];
            const auto& b = plan["plans"][second];
            reversed +=
                a["iteration_time_s"] < b["iteration_time_s"] && a["packets_s"] > b["packets_s"];
        }
    }
    EXPECT_GE(reversed, 1u);
    std::size_t warnings = 0;
    for (const std::string warning : plan["warning_texts"])
    {
        warnings += warning.rfind("packets reverse the ranking", 0) == 0;
    }
    EXPECT_EQ(warnings, reversed);
}

TEST_F(PlanCli, BeginsWithOneSentenceOfAdvice)
{
    const auto outcome = Geotrain("plan small.textproto --top 5 --packets 0 --out p");
    ASSERT_EQ(outcome.code, 0) << outcome.error;
    auto advice = outcome.out.substr(0, outcome.out.find("\n\n"));
    std::replace(advice.begin(), advice.end(), '\n', ' ');
    EXPECT_EQ(advice.rfind("Train on ", 0), 0U) << advice;
    EXPECT_EQ(advice.back(), '.');
    const auto plan = Json("plan small.textproto --top 5 --packets 0 --out q");
    EXPECT_EQ(plan["advice"], advice);
    EXPECT_NE(advice.find(std::to_string(plan["plans"][0]["gpus"].get<int>()) + " of 4 GPUs"),
              std::string::npos);
}

TEST_F(PlanCli, WhatIfsAreDifferencesToThePlan)
{
    const auto plan =
        Json("plan small.textproto --without b --add a=2 --wan-rate 100Mbps --top 5 --packets 0 "
             "--out p");
    ASSERT_EQ(plan["what_ifs"].size(), 3u);
    const double base = plan["plans"][0]["iteration_time_s"];
    for (const auto& whatIf : plan["what_ifs"])
    {
        EXPECT_NEAR(whatIf["iteration_time_difference_s"].get<double>(),
                    whatIf["plan"]["iteration_time_s"].get<double>() - base,
                    1e-12);
    }
    EXPECT_GE(plan["what_ifs"][0]["iteration_time_difference_s"], 0); // fewer GPUs
    EXPECT_LE(plan["what_ifs"][1]["iteration_time_difference_s"], 0); // more of them
    const std::string advice = plan["advice"];
    EXPECT_EQ(advice.rfind("Without b an iteration takes ", 0), 0U) << advice;
    EXPECT_NE(advice.find("With 4 GPUs in a for 2 an iteration takes "), std::string::npos)
        << advice;
    EXPECT_NE(advice.find("With a WAN of 0.1 Gbit/s an iteration takes "), std::string::npos);
    // The best of each question is a scenario too, on the changed WAN.
    for (const auto& whatIf : plan["what_ifs"])
    {
        const std::string file = whatIf["plan"]["file"];
        EXPECT_EQ(Json("run " + file + " --network analytic --out r --force")["iteration_time_s"],
                  whatIf["plan"]["iteration_time_s"])
            << file;
    }
}

TEST_F(PlanCli, WritesTheRankingAndTheCurve)
{
    EXPECT_EQ(Geotrain("plan small.textproto --top 3 --packets 0 --out p").code, 0);
    EXPECT_TRUE(fs::exists(m_folder / "p/plan-3.textproto"));
    EXPECT_NE(Contents(m_folder / "p/details.txt").find("Algorithm 1"), std::string::npos);
    EXPECT_EQ(Contents(m_folder / "p/plans.csv")
                  .rfind("rank,iteration_time_s,packets_s,estimate_s,gpus,", 0),
              0u);
    EXPECT_EQ(Contents(m_folder / "p/dp-cells.csv").rfind("dp_cells,sequences_per_s,", 0), 0u);
    EXPECT_TRUE(fs::exists(m_folder / "p/run-info.json"));
}

TEST_F(PlanCli, AnInfeasiblePlanSaysWhatIsMissing)
{
    const auto gpus = Geotrain("plan small.textproto --set plan.data_parallel=[8] --out p");
    EXPECT_EQ(gpus.code, 1);
    EXPECT_NE(gpus.error.find("needs 8 GPUs, 4 too many"), std::string::npos)
        << gpus.error;
    const auto memory =
        Geotrain("plan small.textproto --set model.transformer.hidden=65536 --out p");
    EXPECT_EQ(memory.code, 1);
    EXPECT_NE(memory.error.find("GB more than A100-80 has"), std::string::npos) << memory.error;
}

TEST_F(PlanCli, BadInputEndsWithOneLineAndExitOne)
{
    const std::vector<std::string> bad = {"--set data_center[0].nodes=0",
                                          "--set price[0].dollars_per_gpu_hour=-1",
                                          "--set plan.schedule=[\\\"fastest\\\"]",
                                          "--without nowhere",
                                          "--add a=0",
                                          "--wan-rate slow"};
    for (const auto& arguments : bad)
    {
        const auto outcome = Geotrain("plan small.textproto " + arguments + " --out p");
        EXPECT_EQ(outcome.code, 1) << arguments;
        EXPECT_EQ(std::count(outcome.error.begin(), outcome.error.end(), '\n'), 1) << outcome.error;
    }
}

TEST_F(PlanCli, LossesWithoutAModelOfTheResponseAreRefused)
{
    const std::string lossy =
        "plan small.textproto --packets 0 --set wan_link[0].loss=0.001 --out ";
    EXPECT_EQ(Geotrain(lossy + "cubic").code, 0);
    const auto bbr = Geotrain(lossy + "bbr --set transport.congestion_control=TcpBbr3");
    EXPECT_EQ(bbr.code, 1);
    EXPECT_NE(bbr.error.find("has no model of its response"), std::string::npos) << bbr.error;
}

TEST_F(PlanCli, ADisconnectedWanEndsWithExitOne)
{
    std::ofstream(m_folder / "apart.textproto")
        << "model { catalogue: \"gpt-a\" }\n"
           "data_center { name: \"a\" nodes: 1 gpu: \"H100\" }\ndata_center { name: \"b\" nodes: 1 "
           "gpu: \"H100\" }\n";
    const auto outcome = Geotrain("plan apart.textproto --out p");
    EXPECT_EQ(outcome.code, 1);
    EXPECT_FALSE(outcome.error.empty());
}

} // namespace
