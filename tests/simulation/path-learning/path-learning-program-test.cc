// SPDX-License-Identifier: GPL-2.0-only
// A path from records to runs, by the program: a link's packets are recorded, a path is learned from
// them, and a transfer runs over it.
#include "transfer-program-test.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace geotrain
{
namespace
{

class LearnedPathProgram : public TransferProgramTest
{
  protected:
    /// Records a path of 20 Mbit/s, 25 ms one way and a buffer of 100 kB, and learns it.
    nlohmann::json LearnKnown() const
    {
        WriteTransfer("known.textproto",
                      R"(rate: "20Mbps" delay: "25ms" queue: "100kB")",
                      R"(run { packet_trace: "a -> b" packet_trace: "b -> a" })");
        const auto run = Geotrain("run known.textproto --quiet --out known");
        EXPECT_EQ(run.code, 0) << run.error;
        const auto learn = Geotrain("learn known/packets-1.csv --out path.pb --json");
        EXPECT_EQ(learn.code, 0) << learn.error;
        return nlohmann::json::parse(learn.out, nullptr, false);
    }
};

// Rate 2 %; propagation one packet time, 0.6 ms; the buffer one packet besides the one on the wire.
TEST_F(LearnedPathProgram, LearnsTheLinkWhosePacketsWereRecorded)
{
    const auto learned = LearnKnown();
    EXPECT_NEAR(learned["rate_bps"].get<double>(), 20e6, 0.4e6);
    EXPECT_NEAR(learned["propagation_s"].get<double>(), 0.025, 0.0006);
    EXPECT_NEAR(learned["buffer_bytes"].get<double>(), 100000, 3000);
    EXPECT_LT(learned["throughput_error"].get<double>(), 0.02);
    EXPECT_LT(learned["delay_p95_error"].get<double>(), 0.05);
    EXPECT_LT(learned["loss_error"].get<double>(), 0.01);
}

// In closed loop, with another congestion control than was recorded, over both of our bearers.
TEST_F(LearnedPathProgram, FlowOverTheLearnedPathGetsWhatItGetsOverTheTrueOne)
{
    LearnKnown();
    WriteTransfer("learned.textproto", R"(learned: "path.pb")", "");
    const std::string control = " --set transport.congestion_control=TcpNewReno --quiet";
    ASSERT_EQ(Geotrain("run known.textproto --out true" + control).code, 0);
    for (const std::string bearer : {"EXPRESS", "DEVICE"})
    {
        const auto run = Geotrain("run learned.textproto --set transport.bearer=" + bearer +
                                  control + " --out " + bearer);
        ASSERT_EQ(run.code, 0) << run.error;
        const double truth = Metric("true", "goodput");
        EXPECT_GT(truth, 0);
        EXPECT_NEAR(Metric(bearer, "goodput"), truth, 0.05 * truth) << bearer;
    }
    const auto again = Geotrain("run EXPRESS/scenario.textproto --quiet --out again");
    EXPECT_EQ(again.code, 0) << again.error;
    EXPECT_EQ(Metric("again", "goodput"), Metric("EXPRESS", "goodput"));
}

TEST_F(LearnedPathProgram, SettingsBesideLearnedAreRefused)
{
    LearnKnown();
    for (const std::string field :
         {"rate: \"1Gbps\"", "delay: \"1ms\"", "queue: \"1bdp\"", "loss: 0.1"})
    {
        WriteTransfer("both.textproto", "learned: \"path.pb\" " + field, "");
        const auto check = Geotrain("check both.textproto");
        EXPECT_EQ(check.code, 1) << field;
        EXPECT_NE(check.error.find("must not be set beside learned"), std::string::npos)
            << check.error;
    }
}

TEST_F(LearnedPathProgram, DrawsAFamilyThatACompareVariesOver)
{
    LearnKnown();
    Geotrain("run known.textproto --quiet --set wan_link[0].rate=21Mbps --out second");
    ASSERT_EQ(Geotrain("learn known/packets-1.csv second/packets-1.csv --quiet --out two.pb").code,
              0);
    const auto drawn = Geotrain("learn --like two.pb --paths 3 --out family --json");
    ASSERT_EQ(drawn.code, 0) << drawn.error;
    EXPECT_EQ(nlohmann::json::parse(drawn.out)["paths"].size(), 3u);
    WriteTransfer("learned.textproto", R"(learned: "path.pb")", "");
    const auto compare = Geotrain("compare learned.textproto --set transfer.duration=2s --vary "
                                  "wan_link[0].learned=family/path-1.pb,family/path-2.pb --quiet "
                                  "--out population");
    EXPECT_EQ(compare.code, 0) << compare.error;
    const auto all = Geotrain("compare learned.textproto --set transfer.duration=2s --vary "
                              "wan_link[0].learned=family --quiet --out all");
    EXPECT_EQ(all.code, 0) << all.error;
    const std::string table = Contents(m_folder / "all" / "comparison.csv");
    EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 1 + 3);
    EXPECT_NE(table.find("family/path-3.pb"), std::string::npos) << table;
}

TEST_F(LearnedPathProgram, AFolderWithoutPathsIsRefused)
{
    WriteTransfer("learned.textproto", R"(learned: "cellular-brazil-1")", "");
    std::filesystem::create_directory(m_folder / "none");
    const auto compare =
        Geotrain("compare learned.textproto --vary wan_link[0].learned=none --out all");
    EXPECT_EQ(compare.code, 1);
    EXPECT_NE(compare.error.find("is a folder without model files"), std::string::npos)
        << compare.error;
}

TEST_F(LearnedPathProgram, PathsOfTheLibraryGoByTheirNames)
{
    WriteTransfer("library.textproto", R"(learned: "cellular-brazil-1")", "");
    const auto run =
        Geotrain("run library.textproto --quiet --set transfer.duration=2s --out library");
    EXPECT_EQ(run.code, 0) << run.error;
    EXPECT_GT(Metric("library", "goodput"), 0);
    const auto again = Geotrain("run library/scenario.textproto --quiet --out again");
    EXPECT_EQ(again.code, 0) << again.error;
    EXPECT_EQ(Metric("again", "goodput"), Metric("library", "goodput"));
}

TEST_F(LearnedPathProgram, FiguresShowWhatWasRecordedAndLearned)
{
    LearnKnown();
    const auto learn =
        Geotrain("learn known/packets-1.csv --out path.pb --quiet --figures figures");
    EXPECT_EQ(learn.code, 0) << learn.error;
    const std::string data = Contents(m_folder / "figures" / "delay-over-time.csv");
    EXPECT_NE(data.find("measured,"), std::string::npos) << data.substr(0, 200);
    EXPECT_NE(data.find("learned,"), std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(m_folder / "figures" / "training-loss.csv"));
}

// Each control's packets over each of two paths.
TEST_F(LearnedPathProgram, ComparisonsThatRecordPacketsDrawTheirSpread)
{
    WriteTransfer("known.textproto",
                  R"(rate: "20Mbps" delay: "25ms" queue: "100kB")",
                  R"(run { packet_trace: "a -> b" })");
    const auto compare = Geotrain(
        "compare known.textproto --set transfer.duration=3s --vary wan_link[0].rate=10Mbps,20Mbps "
        "--vary transport.congestion_control=TcpCubic,TcpVegas --quiet --out spread");
    EXPECT_EQ(compare.code, 0) << compare.error;
    const std::string data = Contents(m_folder / "spread" / "figures" / "path-spread.csv");
    EXPECT_EQ(std::count(data.begin(), data.end(), '\n'), 1 + 2 * 2 * 2) << data;
}

TEST_F(LearnedPathProgram, BadFilesAreOneLineAndExitCodeOne)
{
    Write("empty.csv", "");
    Write("foreign.pb", "hello");
    WriteTransfer("foreign.textproto", R"(learned: "foreign.pb")", "");
    WriteTransfer("recorded.textproto",
                  R"(rate: "20Mbps" delay: "25ms")",
                  R"(run { packet_trace: "a -> c" })");
    for (const char* arguments : {"learn empty.csv --out p.pb",
                                  "learn nowhere.csv --out p.pb",
                                  "learn --out p.pb",
                                  "learn --like foreign.pb --out family",
                                  "run foreign.textproto --out r",
                                  "run recorded.textproto --out r"})
    {
        const auto outcome = Geotrain(arguments);
        EXPECT_EQ(outcome.code, 1) << arguments;
        EXPECT_EQ(std::count(outcome.error.begin(), outcome.error.end(), '\n'), 1) << outcome.error;
    }
}

} // namespace
} // namespace geotrain
