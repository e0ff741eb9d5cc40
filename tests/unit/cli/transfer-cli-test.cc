// SPDX-License-Identifier: GPL-2.0-only
// Tests geotrain transfer end to end: times, bearers, TCP settings and refusals.
#include "cli-fixture.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>

namespace
{

using geotrain::Cli;

TEST_F(Cli, TransferTellsItsTimeAndRate)
{
    const auto outcome = Geotrain("transfer --bytes 2MB --rate 100Mbps --rtt 20ms --buffer 8bdp "
                                  "--messages 2 --gap 1ms --json");
    ASSERT_EQ(outcome.code, 0) << outcome.error;
    const auto report = nlohmann::json::parse(outcome.out);
    // At least half a round trip and the payload at the rate.
    EXPECT_GT(report["completion_time_s"], 0.01 + 2e6 * 8 / 100e6);
    EXPECT_LT(report["completion_time_s"], 0.5);
    EXPECT_NEAR(report["goodput_bps"].get<double>() * report["completion_time_s"].get<double>(),
                2e6 * 8,
                1);
    EXPECT_EQ(report["retransmitted_bytes"], 0);
    EXPECT_GT(report["packets"], 2 * 2000000 / 1448);
    EXPECT_TRUE(report.contains("wall_s"));
}

TEST_F(Cli, ADefaultThatNoBearerReadsIsRefused)
{
    const auto outcome = Geotrain("run small.textproto --ns3 ns3::TcpSocketBase::MinRto=1s");
    EXPECT_EQ(outcome.code, 1);
    EXPECT_EQ(outcome.error,
              "--ns3: ns3::TcpSocketBase::MinRto: \"1s\" has no effect: only transport.bearer "
              "STOCK reads it\n");
    const std::string transfer = "transfer --bytes 1MB --rate 1Gbps --rtt 20ms --json --ns3 "
                                 "ns3::TcpSocketBase::MinRto=300ms --transport ";
    EXPECT_EQ(Geotrain(transfer + "express").code, 1);
    EXPECT_EQ(Geotrain(transfer + "device").code, 1);
    EXPECT_EQ(Geotrain(transfer + "stock").code, 0);
}

TEST_F(Cli, ADefaultSetToNs3sOwnValueHasItsEffect)
{
    // Many losses over a slow link need timeouts, of which ns-3's least of 1 s is five times ours.
    const std::string transfer = "transfer --bytes 200kB --rate 10Mbps --rtt 20ms --loss 0.1 "
                                 "--transport stock --json ";
    const auto seconds = [this, &transfer](const std::string& more)
    {
        const auto outcome = Geotrain(transfer + more);
        EXPECT_EQ(outcome.code, 0) << outcome.error;
        return nlohmann::json::parse(outcome.out)["completion_time_s"].get<double>();
    };
    const double ns3sOwn = seconds("--ns3 ns3::TcpSocketBase::MinRto=1s");
    EXPECT_EQ(ns3sOwn, seconds("--min-rto 1s"));
    EXPECT_GT(ns3sOwn, seconds("") + 0.5);
}

TEST_F(Cli, ALargerInitialWindowSavesRoundTrips)
{
    const std::string path = "transfer --bytes 500kB --rate 1Gbps --rtt 100ms --json";
    const auto seconds = [](const Outcome& outcome)
    { return nlohmann::json::parse(outcome.out)["completion_time_s"].get<double>(); };
    const auto initial = Geotrain(path);
    const auto large = Geotrain(path + " --initial-window 40");
    ASSERT_EQ(large.code, 0) << large.error;
    // Slow start sends 10, 20, 40, ... segments per round trip, so 40 at first save two round
    // trips.
    EXPECT_NEAR(seconds(initial) - seconds(large), 0.2, 0.05);
    const auto attribute = Geotrain(path + " --ns3 geotrain::BulkTcp::InitialWindow=40");
    EXPECT_EQ(seconds(attribute), seconds(large));
    const auto over =
        Geotrain(path + " --initial-window 10 --ns3 geotrain::BulkTcp::InitialWindow=40");
    EXPECT_EQ(seconds(over), seconds(initial)); // the option goes before the attribute
}

TEST_F(Cli, PacingHasThreeKindsAndTwoOlderWords)
{
    const auto seconds = [this](const std::string& pacing)
    {
        const auto outcome =
            Geotrain("transfer --bytes 20MB --rate 1Gbps --rtt 20ms --buffer 0.05bdp --json "
                     "--pacing " +
                     pacing);
        EXPECT_EQ(outcome.code, 0) << outcome.error;
        return nlohmann::json::parse(outcome.out)["completion_time_s"].get<double>();
    };
    EXPECT_EQ(seconds("on"), seconds("auto"));
    EXPECT_EQ(seconds("off"), seconds("none"));
    EXPECT_NE(seconds("none"), seconds("auto"));
    EXPECT_NE(seconds("fq"), seconds("auto"));
}

TEST_F(Cli, TcpSettingsAreListed)
{
    const auto outcome = Geotrain("list tcp-settings --json");
    ASSERT_EQ(outcome.code, 0) << outcome.error;
    const auto settings = nlohmann::json::parse(outcome.out)["tcp-settings"];
    const auto found = std::find_if(
        settings.begin(),
        settings.end(),
        [](const auto& setting) { return setting["name"] == "geotrain::BulkTcp::InitialWindow"; });
    ASSERT_NE(found, settings.end());
    EXPECT_EQ((*found)["default"], "10");
}

TEST_F(Cli, TransferTakesTheSameTimeOverStockTcp)
{
    const std::string path =
        "transfer --bytes 1MB --rate 100Mbps --rtt 20ms --buffer 8bdp --json --transport ";
    const auto express = Geotrain(path + "express");
    const auto stock = Geotrain(path + "stock");
    ASSERT_EQ(stock.code, 0) << stock.error;
    const double time = nlohmann::json::parse(stock.out)["completion_time_s"];
    // The tolerance is 5 %, for other delayed acknowledgements and HyStart in slow start.
    EXPECT_NEAR(
        nlohmann::json::parse(express.out)["completion_time_s"].get<double>(), time, 0.05 * time);
}

TEST_F(Cli, TransferTakesTheSameTimeOverBothBearers)
{
    // Offloads are of express alone.
    const std::string path =
        "transfer --bytes 1MB --rate 100Mbps --rtt 20ms --offload none --json --transport ";
    const auto express = Geotrain(path + "express");
    const auto device = Geotrain(path + "device");
    ASSERT_EQ(device.code, 0) << device.error;
    const double time = nlohmann::json::parse(device.out)["completion_time_s"];
    // The tolerance is 0.1 %, for 32 bytes of framing.
    EXPECT_NEAR(
        nlohmann::json::parse(express.out)["completion_time_s"].get<double>(), time, 0.001 * time);
}

TEST_F(Cli, ATransferIsOfAHostThatPacesByDefault)
{
    const std::string transfer = "transfer --bytes 1MB --rate 100Mbps --rtt 20ms --json";
    const auto seconds = [&](const std::string& preset) -> double
    {
        const auto outcome = Geotrain(transfer + preset);
        EXPECT_EQ(outcome.code, 0) << outcome.error;
        return nlohmann::json::parse(outcome.out)["completion_time_s"];
    };
    EXPECT_EQ(seconds(" --preset linux_fq"), seconds(""));
    EXPECT_NE(seconds(" --preset linux"), seconds(""));
}

TEST_F(Cli, ATransferEndsByItsWallDeadlineAndTellsWhatItDid)
{
    // A terabyte is 700 million packets: the first message is out of reach of any machine.
    const auto outcome = Geotrain("transfer --bytes 1TB --messages 1000 --rate 10Gbps --rtt 1ms "
                                  "--wall-deadline 300ms --json");
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(Lines(outcome.error), 1) << outcome.error;
    EXPECT_NE(outcome.error.find("its wall-clock deadline of 0.3 s (--wall-deadline TIME sets "
                                 "another): 0 of 1000 messages delivered, "),
              std::string::npos)
        << outcome.error;
    EXPECT_EQ(nlohmann::json::parse(outcome.out)["error"]["exit_code"], 2);
}

TEST_F(Cli, ATransferEndsByItsDeadlineAndSaysHowToSetAnother)
{
    // A message of 10 MB at 100 Mbit/s takes 0.8 s, and at most 1 s with slow start and losses:
    // three fit into 3 s, and four do not.
    const auto outcome =
        Geotrain("transfer --bytes 10MB --messages 9 --rate 100Mbps --rtt 20ms --deadline 3s");
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(Lines(outcome.error), 1) << outcome.error;
    EXPECT_NE(outcome.error.find("its deadline of 3 s (--deadline TIME sets another): 3 of 9 "
                                 "messages delivered, 3 s simulated"),
              std::string::npos)
        << outcome.error;
    EXPECT_EQ(outcome.out, "");
}

TEST_F(Cli, TransferRefusesBadInputInOneLine)
{
    const std::string good = "transfer --bytes 1MB --rate 100Mbps --rtt 20ms ";
    for (const auto* bad : {"--congestion-control TcpTahiti",
                            "--congestion-control ns3::Node",
                            "--congestion-control TcpPrague --transport device",
                            "--congestion-control TcpPrague --transport stock",
                            "--mtu 575",
                            "--mtu 65536",
                            "--buffer 0B",
                            "--buffer 0bdp",
                            "--loss 1.5",
                            "--loss 1",
                            "--loss -0.1",
                            "--loss nan",
                            "--window 100B",
                            "--connections 0",
                            "--messages 0",
                            "--gap -1ms",
                            "--transport pigeon",
                            "--deadline 0s",
                            "--wall-deadline 0s",
                            "--wall-deadline soon",
                            "--seed 0"})
    {
        const auto outcome = Geotrain(good + bad);
        EXPECT_EQ(outcome.code, 1) << bad;
        EXPECT_EQ(Lines(outcome.error), 1) << bad << ": " << outcome.error;
    }
}

TEST_F(Cli, TimingAndTransferPrintTheirQuantitiesOnceInTheFormAskedFor)
{
    for (const std::string verb : {"timing --model gpt3-175b --gpu A100-80 --tp 8",
                                   "transfer --bytes 1MB --rate 1Gbps --rtt 10ms"})
    {
        EXPECT_EQ(Geotrain(verb).out.rfind("quantity", 0), 0u) << verb;
        EXPECT_EQ(Geotrain(verb + " --quiet").out, "") << verb;
        const auto json = Geotrain(verb + " --quiet --json");
        EXPECT_EQ(json.code, 0) << verb;
        EXPECT_TRUE(nlohmann::json::parse(json.out).is_object()) << verb;
    }
}

} // namespace
