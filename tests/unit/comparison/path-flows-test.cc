// SPDX-License-Identifier: GPL-2.0-only
// Reads what flows got of their paths from the packets that runs recorded.
#include "comparison/path-flows.h"

#include "result-folders.h"
#include "temporary-folder.h"

#include <gtest/gtest.h>

namespace geotrain
{

namespace
{

/// Packets of 1,250 bytes (10,000 bits), one every 10 ms for 2.5 s, of which every tenth is lost;
/// the others take 40 ms.
std::string
PacketsAtOneMegabit()
{
    std::string csv = "send_s,size_bytes,delay_s,true_cross_bytes\n";
    for (int i = 0; i < 250; ++i)
    {
        csv += std::to_string(i * 0.01) + ",1250," + (i % 10 == 9 ? "" : "0.04") + ",0\n";
    }
    return csv;
}

class PathFlowsTest : public ::testing::Test
{
  protected:
    /// Adds a variant of transfers under a control, whose varied fields have these values.
    void Add(const std::string& name, const std::string& control, const std::vector<std::string>& values)
    {
        VariantSummary variant;
        variant.variant = name;
        variant.trace = m_folder / (name + "/trace.pb");
        variant.summary.header.mutable_transfers();
        variant.summary.header.set_congestion_control(control);
        variant.values = values;
        m_comparison.variants.push_back(variant);
    }

    void Record(const std::string& file, const std::string& text) const
    {
        WriteText(m_folder / file, text);
    }

    TemporaryFolder m_folder;
    Comparison m_comparison{{"transport.congestion_control", "wan_link[0].learned"}, {}};
};

TEST_F(PathFlowsTest, AFlowHasTheDelaysOfThePacketsThatArrived)
{
    Add("a", "TcpCubic", {"TcpCubic", "lte.pb"});
    Record("a/packets-1.csv", PacketsAtOneMegabit());
    const auto flows = PathFlowsOf(m_comparison);
    ASSERT_EQ(flows.size(), 1u);
    EXPECT_EQ(flows[0].control, "TcpCubic");
    EXPECT_EQ(flows[0].path, "lte.pb");
    ASSERT_EQ(flows[0].delays.size(), 225u); // nine of ten
    EXPECT_EQ(flows[0].delays.front(), 0.04);
}

// A second has 100 packets of 10,000 bits, of which 90 arrive: 0.9 Mbit/s. Packets arrive from
// 0.04 s on, so that the first second has those sent until 0.95 s: 96, of which 9 are lost. The third
// second is not whole.
TEST_F(PathFlowsTest, ThroughputsAreOfWholeSeconds)
{
    Add("a", "TcpCubic", {"TcpCubic", "lte.pb"});
    Record("a/packets-1.csv", PacketsAtOneMegabit());
    const auto flows = PathFlowsOf(m_comparison);
    ASSERT_EQ(flows.at(0).throughputs.size(), 2u);
    EXPECT_DOUBLE_EQ(flows[0].throughputs[0], 87 * 10000.0);
    EXPECT_DOUBLE_EQ(flows[0].throughputs[1], 90 * 10000.0);
}

TEST_F(PathFlowsTest, ARunShorterThanASecondKeepsItsOne)
{
    Add("a", "TcpCubic", {"TcpCubic", ""});
    Record("a/packets-1.csv", "send_s,size_bytes,delay_s\n0,1250,0.01\n0.1,1250,0.01\n");
    EXPECT_EQ(PathFlowsOf(m_comparison).at(0).throughputs, std::vector<double>{20000});
}

TEST_F(PathFlowsTest, APathIsNamedByWhatVariesBesideTheControl)
{
    m_comparison.variedPaths = {"mtu", "transport.congestion_control", "wan_link[0].learned"};
    Add("a", "TcpBbr", {"9000", "TcpBbr", "lte.pb"});
    Add("b", "TcpBbr", {"", "TcpBbr", ""});
    Record("a/packets-1.csv", PacketsAtOneMegabit());
    Record("b/packets-1.csv", PacketsAtOneMegabit());
    const auto flows = PathFlowsOf(m_comparison);
    ASSERT_EQ(flows.size(), 2u);
    EXPECT_EQ(flows[0].path, "9000, lte.pb");
    EXPECT_EQ(flows[1].path, "as written");
}

TEST_F(PathFlowsTest, EachRecordedLinkIsAFlow)
{
    Add("a", "TcpCubic", {"TcpCubic", "lte.pb"});
    Record("a/packets-1.csv", PacketsAtOneMegabit());
    Record("a/packets-2.csv", PacketsAtOneMegabit());
    Record("a/packets-4.csv", PacketsAtOneMegabit()); // numbers have no gaps
    EXPECT_EQ(PathFlowsOf(m_comparison).size(), 2u);
}

TEST_F(PathFlowsTest, LinksThatNothingCrossedAreLeftOut)
{
    Add("a", "TcpCubic", {"TcpCubic", "lte.pb"});
    Record("a/packets-1.csv", "send_s,size_bytes,delay_s,true_cross_bytes\n");
    Record("a/packets-2.csv", PacketsAtOneMegabit());
    EXPECT_EQ(PathFlowsOf(m_comparison).size(), 1u);
}

TEST_F(PathFlowsTest, TrainingAndRunsWithoutRecordsHaveNone)
{
    Add("trained", "TcpCubic", {"TcpCubic", "lte.pb"});
    m_comparison.variants.back().summary.header.clear_transfers();
    Record("trained/packets-1.csv", PacketsAtOneMegabit());
    Add("unrecorded", "TcpCubic", {"TcpCubic", "lte.pb"});
    EXPECT_TRUE(PathFlowsOf(m_comparison).empty());
}

} // namespace

} // namespace geotrain
