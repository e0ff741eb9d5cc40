// SPDX-License-Identifier: GPL-2.0-only
// Tests `geotrain plan` end to end: the winner runs unchanged, what-ifs differ, and bad input ends
// with exit 1.
#include "program-test.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
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
};

TEST_F(PlanCli, TheWinnerRunsAsItIs)
{
    // Stages lie in both data centres, so that the WAN counts.
    const auto plan = Json("plan small.textproto --set plan.pipeline_stages=[4] --top 5 --out p");
    EXPECT_GT(plan["legal_candidates"], 5);
    const auto analytic = Json("run p/plan-1.textproto --network analytic --out a");
    EXPECT_NEAR(analytic["iteration_time_s"].get<double>(),
                plan["plans"][0]["iteration_time_s"].get<double>(),
                0.01 * analytic["iteration_time_s"].get<double>());
    EXPECT_EQ(Geotrain("run p/plan-1.textproto --network packet --out b").code, 0);
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

TEST_F(PlanCli, AnInterruptedVerificationKeepsThePlans)
{
    // With 100,000 iterations, the packets of the best plan take minutes.
    EXPECT_EQ(Interrupted("small.textproto --set plan.pipeline_stages=[2] --set "
                          "run.iterations=100000 --top 1 --verify 1",
                          "INT",
                          "p/plan-1/trace.pb"),
              2);
    EXPECT_EQ(Contents(m_folder / "err"),
              "interrupted: 0 of 1 plans have run over packets; all are in p\n");
    EXPECT_NE(Contents(m_folder / "out").find("the best plan is p/plan-1.textproto"),
              std::string::npos);
    EXPECT_TRUE(fs::exists(m_folder / "p/plans.csv"));
}

TEST_F(PlanCli, VerifyRunsTheBestOverPackets)
{
    const auto plan = Json("plan small.textproto --top 5 --verify 2 --out p");
    ASSERT_EQ(plan["verified"].size(), 2u);
    for (const auto& verified : plan["verified"])
    {
        EXPECT_GT(verified["packets_s"], 0);
        EXPECT_DOUBLE_EQ(
            verified["error"].get<double>(),
            verified["analytic_s"].get<double>() / verified["packets_s"].get<double>() - 1);
    }
    EXPECT_TRUE(fs::exists(m_folder / "p/plan-2/trace.pb"));
}

// With unfused attention, microbatches of 2 beat those of 4 by 0.04 % on the analytic network; over
// packets of ns-3's TCP and CUBIC they lose by 1.9 %.
TEST_F(PlanCli, PacketsThatReverseTheRankingAreAWarning)
{
    const auto plan = Json("plan small.textproto --set plan.schedule=1f1b --set "
                           "plan.pipeline_stages=[2] --set plan.data_parallel=[1] --set "
                           "transport.bearer=STOCK --set model.attention=UNFUSED --set "
                           "transport.congestion_control=ns3::TcpCubic --verify 4 --out p");
    std::size_t reversed = 0;
    for (std::size_t first = 0; first < 4; ++first)
    {
        for (std::size_t second = first + 1; second < 4; ++second)
        {
            const auto& a = plan["verified"][first];
            const auto& b = plan["verified"][second];
            reversed += a["analytic_s"] < b["analytic_s"] && a["packets_s"] > b["packets_s"];
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
    const auto outcome = Geotrain("plan small.textproto --top 5 --out p");
    ASSERT_EQ(outcome.code, 0) << outcome.error;
    auto advice = outcome.out.substr(0, outcome.out.find("\n\n"));
    std::replace(advice.begin(), advice.end(), '\n', ' ');
    EXPECT_EQ(advice.rfind("Train on ", 0), 0U) << advice;
    EXPECT_EQ(advice.back(), '.');
    const auto plan = Json("plan small.textproto --top 5 --out q");
    EXPECT_EQ(plan["advice"], advice);
    EXPECT_NE(advice.find(std::to_string(plan["plans"][0]["gpus"].get<int>()) + " of 4 GPUs"),
              std::string::npos);
}

TEST_F(PlanCli, WhatIfsAreDifferencesToThePlan)
{
    const auto plan =
        Json("plan small.textproto --without b --add a=2 --wan-rate 100Mbps --top 5 --out p");
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
}

TEST_F(PlanCli, WritesTheRankingAndTheCurve)
{
    EXPECT_EQ(Geotrain("plan small.textproto --top 3 --out p").code, 0);
    EXPECT_EQ(Contents(m_folder / "p/plans.csv").rfind("rank,iteration_time_s,estimate_s,gpus,", 0),
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
    const std::string lossy = "plan small.textproto --set wan_link[0].loss=0.001 --out ";
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
