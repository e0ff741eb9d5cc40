// SPDX-License-Identifier: GPL-2.0-only
// Runs a battery of one short heading: its folders and pages, a report card, and going on.
#include "battery/run-battery.h"

#include "report/report-card.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace geotrain
{

namespace
{

namespace fs = std::filesystem;

constexpr const char* tinyScenario = R"scenario(# How fast are two messages?
data_center { name: "a" nodes: 1 nic_rate: "1Gbps" }
data_center { name: "b" nodes: 1 nic_rate: "1Gbps" }
wan_link { from: "a" to: "b" rate: "100Mbps" delay: "5ms" }
transfer { size: "100kB" messages: 2 }
grid {
  vary: "transport.congestion_control=TcpCubic,TcpLinuxReno"
  vary: "wan_link[0].queue=0.5bdp,1bdp"
}
grid { name: "marks" title: "Marks" vary: "transport.congestion_control=TcpCubic"
  set: "transport.ecn=true" set: "wan_link[0].codel={}" }
figure {
  name: "goodput" metric: "goodput_over_capacity" label: "Goodput (%)" factor: 100
  across: "wan_link[0].queue" across_label: "Buffer (BDP)" line { name: "Capacity" y: 100 }
}
criterion {
  what: "Goodput" metric: "goodput_over_capacity" unit: "%" factor: 100
  where: "wan_link[0].queue=1bdp" at_least: 1 reference: "1 %" source: "RFC 5166, 2.1.1"
}
expected { variant: "congestion_control=TcpCubic_queue=1bdp" metric: "messages" value: 2 }
)scenario";

std::string
ContentsOfFile(const fs::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

class RunBatteryTest : public testing::Test
{
  protected:
    void SetUp() override
    {
        m_options.folder = fs::path(testing::TempDir()) /
                           testing::UnitTest::GetInstance()->current_test_info()->name();
        fs::remove_all(m_options.folder);
        fs::create_directories(m_options.folder);
        m_options.headings = {{"tiny", "Tiny messages", {"tiny.textproto", ".", tinyScenario}}};
        m_options.jobs = 2;
    }

    BatteryOptions m_options;
};

TEST_F(RunBatteryTest, WritesAComparisonPerHeadingAndAnIndex)
{
    const auto result = RunBattery(m_options);
    ASSERT_EQ(result.headings.size(), 1U);
    EXPECT_EQ(result.headings[0].table.Rows().size(), 5U);
    ASSERT_EQ(result.headings[0].expectations.size(), 1U);
    EXPECT_TRUE(result.headings[0].expectations[0].Holds());
    const auto tiny = m_options.folder / "tiny";
    EXPECT_TRUE(fs::exists(tiny / "comparison.csv"));
    EXPECT_TRUE(fs::exists(tiny / "figures" / "goodput.png"));
    EXPECT_TRUE(fs::exists(tiny / "report.html"));
    const auto index = ContentsOfFile(m_options.folder / "report.html");
    EXPECT_NE(index.find("tiny/report.html"), std::string::npos);
    EXPECT_NE(index.find("How fast are two messages?"), std::string::npos);
    EXPECT_NE(index.find("<svg"), std::string::npos);
    EXPECT_EQ(index.find("iteration"), std::string::npos);
}

TEST_F(RunBatteryTest, JudgesAControlThatTheScenarioDoesNotName)
{
    m_options.card = ControlOfCard("TcpBbr");
    const auto result = RunBattery(m_options);
    // Beside 2 x 2 buffers and one with marks there are 2 of TcpBbr; its marks can't be.
    EXPECT_EQ(result.headings[0].table.Rows().size(), 7U);
    ASSERT_EQ(result.headings[0].leftOut.size(), 1U);
    const auto card = ContentsOfFile(m_options.folder / CardFile("TcpBbr"));
    EXPECT_NE(card.find("ns3::TcpBbr"), std::string::npos);
    EXPECT_NE(card.find("<span class=\"pass\">pass</span>"), std::string::npos);
    EXPECT_NE(card.find("needs a congestion control that answers marks"), std::string::npos);
    EXPECT_NE(ContentsOfFile(m_options.folder / "report.html").find("card-TcpBbr.html"),
              std::string::npos);
}

TEST_F(RunBatteryTest, GoesOnWhereItStopped)
{
    RunBattery(m_options);
    const auto done = m_options.folder / "tiny" / "congestion_control=TcpCubic_queue=1bdp";
    const auto stopped = m_options.folder / "tiny" / "congestion_control=TcpCubic_queue=0.5bdp";
    const auto written = fs::last_write_time(done / "trace.pb");
    fs::remove(stopped / "summary.csv"); // as a killed run leaves it
    m_options.resume = true;
    const auto result = RunBattery(m_options);
    EXPECT_EQ(result.headings[0].table.Rows().size(), 5U);
    EXPECT_EQ(fs::last_write_time(done / "trace.pb"), written);
    EXPECT_TRUE(fs::exists(stopped / "summary.csv"));
}

TEST_F(RunBatteryTest, RunsTheVariantsOfTheChosenFiguresAlone)
{
    FigureChoices choices;
    choices.only = {"goodput"};
    choices.formats = {"svg"};
    m_options.choices = &choices;
    m_options.runsOnlyShown = true;
    m_options.makeMore = [this]
    {
        fs::create_directories(m_options.folder / "more");
        return std::vector<BatteryPart>{{"More", "more", "What else?", "no runs"}};
    };
    const auto result = RunBattery(m_options);
    EXPECT_EQ(result.headings.at(0).table.Rows().size(), 4U); // not the one with marks
    EXPECT_TRUE(fs::exists(m_options.folder / "tiny" / "figures" / "goodput.svg"));
    EXPECT_FALSE(fs::exists(m_options.folder / "tiny" / "figures" / "goodput.png"));
    EXPECT_NE(ContentsOfFile(m_options.folder / "report.html").find("What else?"),
              std::string::npos);
}

TEST_F(RunBatteryTest, RunsNothingWhereNoFigureIsChosen)
{
    FigureChoices choices;
    choices.only = {"another"};
    m_options.choices = &choices;
    m_options.runsOnlyShown = true;
    EXPECT_TRUE(RunBattery(m_options).headings.empty());
}

} // namespace

} // namespace geotrain
