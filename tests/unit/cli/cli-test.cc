// SPDX-License-Identifier: GPL-2.0-only
// Tests what the geotrain program says without running anything: verbs, lists, checks, refusals, exports.
#include "cli-fixture.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>

namespace
{

namespace fs = std::filesystem;
using geotrain::Cli;

TEST_F(Cli, UnknownVerbNamesTheVerbs)
{
    const auto outcome = Geotrain("paln x");
    EXPECT_EQ(outcome.code, 1);
    EXPECT_NE(outcome.error.find("; the verbs are run, compare, plan, figures, export, check, "
                                 "transfer, schedule, timing, fit-gpu, import, learn, live, list; "),
              std::string::npos)
        << outcome.error;
}

TEST_F(Cli, TimingNamesTheOptionThatDoesNotGoWithTheModel)
{
    EXPECT_EQ(Geotrain("timing --model llama3-8b --gpu H100 --tp 7").error,
              "--tp: \"7\" must divide the 32 heads and the MLP's width of 14336 of llama3-8b\n");
    EXPECT_EQ(Geotrain("timing --model llama3-8b --gpu H100 --sequence 8193").error,
              "--sequence: \"8193\" must be at most 8192, the context of llama3-8b\n");
}

TEST_F(Cli, ALibraryScenarioIsPrintedToBeCopied)
{
    const auto shown = Geotrain("list scenarios --show single-dc");
    ASSERT_EQ(shown.code, 0) << shown.error;
    Write("single-dc", shown.out);
    Write("mine.textproto", shown.out + "run { seed: 7 }");
    EXPECT_EQ(Geotrain("check ./single-dc").out, Geotrain("check single-dc").out);
    EXPECT_NE(Geotrain("check mine.textproto").out, Geotrain("check single-dc").out);
    EXPECT_EQ(Geotrain("list gpus --show single-dc").code, 1);
    const auto unknown = Geotrain("list scenarios --show singel-dc");
    EXPECT_EQ(unknown.code, 1);
    EXPECT_NE(unknown.error.find("the nearest are single-dc"), std::string::npos) << unknown.error;
}

TEST_F(Cli, AListedScenarioTellsVerbNetworkAndMinutes)
{
    const auto listed =
        nlohmann::json::parse(Geotrain("list scenarios --json").out).at("scenarios");
    const auto entry = [&](const std::string& name)
    {
        for (const auto& one : listed)
        {
            if (one["name"] == name)
            {
                return one;
            }
        }
        return nlohmann::json();
    };
    EXPECT_EQ(entry("single-dc")["verb"], "run");
    EXPECT_EQ(entry("single-dc")["network"], "packet");
    EXPECT_EQ(entry("single-dc")["minutes"], "< 1");
    EXPECT_EQ(entry("schedules-over-distance")["verb"], "compare");
    EXPECT_EQ(entry("schedules-over-distance")["network"], "analytic");
    for (const auto& one : listed)
    {
        EXPECT_NE(one["minutes"], "") << one;
    }
}

TEST_F(Cli, TheLibraryGoesBeforeAFileOfItsNameUnlessAPathIsGiven)
{
    Write("single-dc", "broken {");
    EXPECT_EQ(Geotrain("check single-dc").code, 0);
    EXPECT_EQ(Geotrain("check ./single-dc").code, 1);
}

TEST_F(Cli, EveryVerbTeachesWithExamples)
{
    for (const auto* verb : geotrain::allVerbs)
    {
        const auto outcome = Geotrain(std::string(verb) + " --help");
        EXPECT_EQ(outcome.code, 0) << verb;
        EXPECT_NE(outcome.out.find("Examples:\n  geotrain " + std::string(verb)), std::string::npos)
            << verb;
    }
}

TEST_F(Cli, BadInputExitsWithOneAndOneLine)
{
    std::ofstream(m_folder / "broken.textproto") << "model {";
    std::ofstream(m_folder / "empty.textproto");
    fs::create_directory(m_folder / "foreign");
    std::ofstream(m_folder / "foreign/trace.pb") << "this is no trace";
    for (const auto* arguments :
         {"run nowhere",
          "run broken.textproto",
          "run empty.textproto",
          "run small.textproto --set wan_link[0].delay=-3ms",
          "run small.textproto --set mtu",
          "run small.textproto --seed -1",
          "run small.textproto --seed x",
          "run small.textproto --network carrier-pigeon",
          "run small.textproto --ns3 ns3::Nothing::X=1",
          "run small.textproto --ns3 ns3::TcpSocketBase::MinRto=much",
          "run small.textproto --ns3 geotrain::BulkTcp::MinRto=1.2.3s",
          "run small.textproto --ns3 geotrain::BulkTcp::MinRto=1..s",
          "run small.textproto --ns3 ns3::TcpSocketBase::MinRto=1s",
          "run small.textproto --ns3 geotrain::BulkTcp::InitialWindow=0",
          "run small.textproto --ns3 geotrain::BulkTcp::MinRto=-1s",
          "run small.textproto --set transport.bearer=STOCK --ns3 ns3::TcpSocketBase::MinRto=-1s",
          "run small.textproto --set transport.bearer=STOCK --ns3 "
          "ns3::TcpSocket::DelAckTimeout=-1ms",
          "run small.textproto --set transport.pacing=MAYBE",
          "run small.textproto --set transport.initial_window=0",
          "run small.textproto --set transport.min_rto=0s",
          "run small.textproto --set transport.bearer=STOCK --set transport.hystart=false",
          "run small.textproto --set transport.bearer=STOCK --ns3 geotrain::BulkTcp::MinRto=1s",
          "transfer --bytes 1MB --rate 1Gbps --rtt 1ms --initial-window 0",
          "transfer --bytes 1MB --rate 1Gbps --rtt 1ms --min-rto -1s",
          "transfer --bytes 1MB --rate 1Gbps --rtt 1ms --hystart maybe",
          "transfer --bytes 1MB --rate 1Gbps --rtt 1ms --pacing maybe",
          "transfer --bytes 1MB --rate 1Gbps --rtt 1ms --transport stock --hystart off",
          "run small.textproto --nonsense",
          "run",
          "compare small.textproto --vary transport.konnections=1,2",
          "compare small.textproto --seeds 3..1",
          "compare small.textproto --jobs 0",
          "check small.textproto --set data_center[0].gpu=A101",
          "check small.textproto --set wan_link[0].queue_disc=FqCoDelQueueDisc",
          "check small.textproto --set wan_link[0].outage[0].begin=1s",
          "figures nowhere",
          "figures .",
          "figures foreign",
          "export foreign --format csv",
          "export foreign --format morse",
          "list nothing",
          "timing --model gpt5 --gpu H100",
          "timing --model gpt-a --gpu H101",
          "timing --model gpt-a --gpu H100 --tp -1",
          "timing --model gpt-a --gpu H100 --tp 7",
          "schedule 2f2b --stages 2 --microbatches 4 --forward 1ms --backward 1ms",
          "schedule 1f1b --stages 0 --microbatches 4 --forward 1ms --backward 1ms",
          "schedule 1f1b --stages 2 --microbatches 4 --forward -1ms --backward 1ms",
          "schedule 1f1b --stages 2 --microbatches 4 --forward 1 --backward 1ms",
          "schedule 1f1b --stages 3 --microbatches 4 --forward 1ms --backward 1ms --hops 1ms",
          "schedule 1f1b --stages 2 --microbatches 4 --forward 1ms --backward 1ms --virtual-stages "
          "2",
          "schedule 1f1b --stages 2 --microbatches 4 --forward 1ms --backward 1ms --memory-cap 1",
          "schedule 1f1b --stages 2 --microbatches 4 --forward 1ms --backward 1ms --cells 2",
          "schedule pipedream-2bw --stages 4 --microbatches 3 --forward 1ms --backward 1ms",
          "schedule dualpipe-v --stages 4 --microbatches 7 --forward 1ms --backward 1ms",
          "schedule mine --orders nothing.csv --forward 1ms --backward 1ms",
          "schedule 1f1b --forward 1ms --backward 1ms"})
    {
        const auto outcome = Geotrain(arguments);
        EXPECT_EQ(outcome.code, 1) << arguments << "\n" << outcome.error;
        EXPECT_EQ(Lines(outcome.error), 1) << arguments << "\n" << outcome.error;
        EXPECT_EQ(outcome.out, "") << arguments;
    }
}

// The analytic network has no model of how BBR answers losses.
TEST_F(Cli, CheckRefusesLossesThatTheRunWouldRefuse)
{
    const std::string lossy = " small.textproto --set wan_link[0].loss=0.001 --set "
                              "transport.congestion_control=TcpBbr --set run.network=";
    const std::string error = "small.textproto: transport.congestion_control: \"ns3::TcpBbr\" has "
                              "no model of its response to wan_link.loss on the analytic network: "
                              "run it over packets\n";
    for (const std::string verb : {"check", "run"})
    {
        const auto outcome = Geotrain(verb + lossy + "ANALYTIC");
        EXPECT_EQ(outcome.code, 1) << verb;
        const auto end = outcome.error.size() - std::min(error.size(), outcome.error.size());
        EXPECT_EQ(outcome.error.substr(end), error) << verb; // run lists the variants before
    }
    EXPECT_EQ(Geotrain("check" + lossy + "PACKET").code, 0);
}

TEST_F(Cli, CheckPrintsAScenarioThatChecksToItself)
{
    const auto first = Geotrain("check small.textproto");
    ASSERT_EQ(first.code, 0) << first.error;
    std::ofstream(m_folder / "resolved.textproto") << first.out;
    EXPECT_EQ(Geotrain("check resolved.textproto").out, first.out);
}

TEST_F(Cli, TimingSpeaksJson)
{
    const auto outcome = Geotrain("timing --model llama3-8b --gpu A100-80 --tp 2 --json");
    ASSERT_EQ(outcome.code, 0) << outcome.error;
    const auto object = nlohmann::json::parse(outcome.out);
    EXPECT_GT(object["backward_s"].get<double>(), object["forward_s"].get<double>());
    EXPECT_GT(object["prefill_s"].get<double>(), 0);
}

TEST_F(Cli, ListsAreThereWithSources)
{
    for (const auto* kind : {"gpus",
                             "models",
                             "schedules",
                             "collectives",
                             "congestion-controls",
                             "regions",
                             "paths",
                             "scenarios"})
    {
        const auto outcome = Geotrain(std::string("list ") + kind + " --json");
        ASSERT_EQ(outcome.code, 0) << outcome.error;
        EXPECT_FALSE(nlohmann::json::parse(outcome.out)[kind].empty()) << kind;
        EXPECT_EQ(Geotrain(std::string("list ") + kind).code, 0);
    }
}

TEST_F(Cli, TheListOfControlsSaysWhereNs3sDepartFromTheirSource)
{
    const auto outcome = Geotrain("list congestion-controls --json");
    ASSERT_EQ(outcome.code, 0) << outcome.error;
    const auto object = nlohmann::json::parse(outcome.out);
    std::set<std::string> withCaveat;
    for (const auto& row : object["congestion-controls"])
    {
        if (!row["caveat"].get<std::string>().empty())
        {
            withCaveat.insert(row["name"].get<std::string>());
        }
    }
    for (const std::string name :
         {"Vegas", "Lp", "NewReno", "Scalable", "Htcp", "Cubic", "Veno", "Yeah", "Dctcp"})
    {
        EXPECT_EQ(withCaveat.count("ns3::Tcp" + name), 1U) << name;
    }
    for (const std::string name : {"geotrain::TcpCubic", "geotrain::TcpBbr3", "ns3::TcpLinuxReno"})
    {
        EXPECT_EQ(withCaveat.count(name), 0U) << name;
    }
}

TEST_F(Cli, ExportWritesTheTimeline)
{
    ASSERT_EQ(Geotrain("run small.textproto --network analytic --out a").code, 0);
    ASSERT_EQ(Geotrain("export a --format perfetto").code, 0);
    ASSERT_EQ(Geotrain("export a --format csv").code, 0);
    EXPECT_TRUE(fs::exists(m_folder / "a/timeline.pftrace"));
    EXPECT_TRUE(fs::exists(m_folder / "a/csv/gpu_spans.csv"));
}

} // namespace
