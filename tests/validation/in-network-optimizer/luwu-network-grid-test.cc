// SPDX-License-Identifier: GPL-2.0-only
// All systems on the analytic network, by workers, layers, rates, MTU and levels of switches. Pieces
// of rings and trees are 4 to 4,000 packets, most of them below the window of TCP.
#include "luwu-network-grid.h"

namespace geotrain
{
namespace
{

class LuwuNetworkGrid : public testing::TestWithParam<NetworkCase>
{
};

TEST_P(LuwuNetworkGrid, AnalyticIterationIsLikeThatOfPackets)
{
    ExpectAlike(GetParam());
}

/// Adds ZeRO-3 whose pieces are 2 to 16 windows W. Paced windows of 12 delays of one way or more fill
/// the line, and those below a round trip wait for acknowledgements anyhow. Those in between are left
/// out: see the module's page.
void
AddWindowsBelowMessages(std::vector<NetworkCase>& cells)
{
    for (const char* system : {ringSystem, treeSystem})
    {
        const auto add = [&](int rate, const char* window, const char* delay) {
            cells.push_back({system, noSwitch, 4, 720, rate, 9000, 1, 1e6, "", window, delay});
        };
        add(100, "400kB", "2us"); // W / rate is 16 delays
        add(100, "800kB", "2us");
        add(100, "1500kB", "2us");
        add(100, "1500kB", "10us"); // 12
        add(400, "1500kB", "2us");  // 15
        add(400, "400kB", "10us");  // 0.8
    }
}

std::vector<NetworkCase>
Cells()
{
    std::vector<NetworkCase> cells;
    for (const std::uint32_t workers : {4, 8, 32})
    {
        for (const int hidden : {208, 720}) // layers of 1 and 12.4 MB
        {
            for (const int rate : {10, 100, 400})
            {
                for (const int mtu : {1500, 9000})
                {
                    const auto add = [&](const char* system, const char* switches) {
                        cells.push_back({system, switches, workers, hidden, rate, mtu});
                    };
                    add(inNetworkSystem, oneSwitch);
                    add(inNetworkSystem, twoLevels);
                    add(inNetworkSystem, threeLevels);
                    add(sharpSystem, twoLevels);
                    const auto addServers = [&](const char* switches, const char* servers) {
                        cells.push_back({inNetworkSystem,
                                         switches,
                                         workers,
                                         hidden,
                                         rate,
                                         mtu,
                                         1,
                                         1e6,
                                         servers});
                    };
                    addServers(oneSwitch, layerThreads);
                    // Layers of two heartbeat intervals are left out, and with several servers
                    // those of less than ten.
                    if (rate < 400 || hidden > 208)
                    {
                        addServers(oneSwitch, eachPacket);
                        addServers(oneSwitch, addsAtServer);
                    }
                    if (rate < 100 || hidden > 208)
                    {
                        addServers(oneSwitch, twoServers);
                        addServers(twoLevels, twoServers);
                        addServers(oneSwitch, fourServers);
                    }
                    add(ringSystem, noSwitch);
                    add(treeSystem, noSwitch);
                }
            }
        }
    }
    AddWindowsBelowMessages(cells);
    return cells;
}

INSTANTIATE_TEST_SUITE_P(Cells, LuwuNetworkGrid, testing::ValuesIn(Cells()));

} // namespace
} // namespace geotrain
