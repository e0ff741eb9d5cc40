// SPDX-License-Identifier: GPL-2.0-only
// The systems on the analytic network, each in a few cells of luwu-network-grid-test.
#include "luwu-network-grid.h"
#include "runner/analytic-warnings.h"

namespace geotrain
{
namespace
{

class LuwuAnalytic : public testing::TestWithParam<NetworkCase>
{
};

TEST_P(LuwuAnalytic, AnalyticIterationIsLikeThatOfPackets)
{
    ExpectAlike(GetParam());
}

const NetworkCase cells[] = {
    {inNetworkSystem, oneSwitch, 8},
    {inNetworkSystem, oneSwitch, 2, 208, 10, 1500},
    {inNetworkSystem, twoLevels, 8, 208, 400},
    {inNetworkSystem, twoLevels, 4, 208, 100, 1500},
    {inNetworkSystem, threeLevels, 8, 208, 100},
    {inNetworkSystem, threeLevels, 4, 512, 400, 1500},
    {inNetworkSystem, twoLevels, 4, 208, 100, 9000, 1, 1},
    {ringSystem, noSwitch, 4, 512, 400},
    {ringSystem, noSwitch, 8, 208, 100, 1500, 2},
    {ringSystem, noSwitch, 16, 208, 100}, // pieces of 7 packets
    {treeSystem, noSwitch, 16, 208, 100},
    {treeSystem, noSwitch, 4, 512, 400},
    {treeSystem, noSwitch, 8, 208, 100, 1500, 2},
    {inNetworkSystem, oneSwitch, 4, 208, 100, 9000, 1, 1e6, layerThreads},
    {inNetworkSystem,
     oneSwitch,
     4,
     208,
     100,
     9000,
     1,
     1e6,
     "threads: LAYER_CENTRIC ssd_rate: \"208Gbps\""},
    {inNetworkSystem, oneSwitch, 4, 208, 100, 9000, 1, 1e6, twoServers},
    {inNetworkSystem, oneSwitch, 4, 208, 100, 9000, 1, 1, "servers: 4 ssd_rate: \"208Gbps\""},
    {inNetworkSystem, twoLevels, 4, 720, 100, 9000, 1, 1e6, twoServers},
    {inNetworkSystem, oneSwitch, 4, 208, 400, 1500, 1, 1e6, layerThreads}, // 2 intervals a layer
    {inNetworkSystem, oneSwitch, 4, 208, 10, 9000, 1, 1e6, twoServers},
    {inNetworkSystem, twoLevels, 4, 720, 400, 9000, 1, 1e6, twoServers},
    {inNetworkSystem, oneSwitch, 4, 720, 100, 1500, 1, 1e6, fourServers},
    {inNetworkSystem, twoLevels, 8, 304, 400, 9000, 1, 5}, // ticks of switches from before
    {inNetworkSystem, oneSwitch, 8, 208, 100, 9000, 1, 1e6, eachPacket},
    {inNetworkSystem, oneSwitch, 32, 208, 10, 1500, 1, 1e6, eachPacket},
    {inNetworkSystem, oneSwitch, 8, 208, 100, 9000, 1, 1e6, addsAtServer},
    {inNetworkSystem, oneSwitch, 4, 208, 10, 1500, 1, 1e6, addsAtServer},
    {sharpSystem, oneSwitch, 8},
    {sharpSystem, threeLevels, 8, 208, 400, 1500},
};

INSTANTIATE_TEST_SUITE_P(Cells, LuwuAnalytic, testing::ValuesIn(cells));

/// Returns whether a run of `cell` warns of `field`.
bool
WarnsOf(const NetworkCase& cell, const std::string& field)
{
    const auto warnings = WarningsOfAnalyticModel(
        LoadScenario({"network-grid", ".", cell.Text("ANALYTIC")}).jobs.front());
    return warnings.size() == 1 && warnings.front().find(field) != std::string::npos;
}

TEST(LuwuAnalyticWarnings, NameTreesOfManyWorkers)
{
    EXPECT_TRUE(WarnsOf({treeSystem, noSwitch, 16}, "parallelism.collectives"));
    EXPECT_FALSE(WarnsOf({treeSystem, noSwitch, 8}, "parallelism.collectives"));
    EXPECT_FALSE(WarnsOf({ringSystem, noSwitch, 16}, "parallelism.collectives"));
}

TEST(LuwuAnalyticWarnings, NameTheWindowThatIsBelowAMessageAndFewDelays)
{
    // A ring's piece has 3.1 MB. 10 us at 100 Gbit/s are 125 kB.
    NetworkCase cell{ringSystem, noSwitch, 4, 720, 100, 9000, 1, 1e6, "", "800kB", "10us"};
    EXPECT_TRUE(WarnsOf(cell, "transport.window"));
    cell.window = "2100kB";
    EXPECT_FALSE(WarnsOf(cell, "transport.window"));
    cell.window = "100kB";
    EXPECT_FALSE(WarnsOf(cell, "transport.window"));
    cell.window = "4MB";
    cell.delay = "40us";
    EXPECT_FALSE(WarnsOf(cell, "transport.window"));
}

} // namespace
} // namespace geotrain
