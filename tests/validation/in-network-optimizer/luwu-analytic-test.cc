// SPDX-License-Identifier: GPL-2.0-only
// The systems on the analytic network, each in a few cells of luwu-network-grid-test.
#include "luwu-network-grid.h"

namespace geotrain
{
namespace
{

class LuwuAnalytic : public testing::TestWithParam<NetworkCase>
{
};

TEST_P(LuwuAnalytic, AnalyticIterationIsWithinThreePercentOfPackets)
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

} // namespace
} // namespace geotrain
