// SPDX-License-Identifier: GPL-2.0-only
// Checks regions and their round-trip times against the measurements that they were copied from.
#include "loader/regions.h"
#include "schema/scenario.pb.h"

#include "small-scenario.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

namespace geotrain
{

namespace
{

TEST(Regions, ThereAreAtLeastTwelveWithUniqueNames)
{
    EXPECT_GE(Regions().size(), 12U);
    for (std::size_t i = 0; i < Regions().size(); ++i)
    {
        EXPECT_EQ(FindRegion(Regions()[i].name), i);
    }
}

TEST(Regions, EveryPairHasATimeBothWays)
{
    for (std::size_t a = 0; a < Regions().size(); ++a)
    {
        for (std::size_t b = 0; b < a; ++b)
        {
            EXPECT_GT(RegionRoundTrip(a, b), Duration::Milliseconds(1));
            EXPECT_LT(RegionRoundTrip(a, b), Duration::Milliseconds(400));
            EXPECT_EQ(RegionRoundTrip(a, b), RegionRoundTrip(b, a));
        }
    }
}

TEST(Regions, TimesAreSkyplanes)
{
    const std::string path = std::string(GEOTRAIN_SHARED_DATA) + "/wan/skyplane_latency.csv";
    if (!std::filesystem::exists(path))
    {
        GTEST_SKIP() << "no " << path;
    }
    // The larger of the two directions' smallest pings over premium networks.
    std::map<std::pair<std::string, std::string>, double> measured;
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    while (std::getline(file, line))
    {
        std::istringstream cells(line);
        std::string cell[7];
        for (auto& text : cell)
        {
            std::getline(cells, text, ',');
        }
        if (cell[1] == "PREMIUM" && cell[4] == "PREMIUM")
        {
            auto& known = measured[std::minmax(cell[0], cell[3])];
            known = std::max(known, std::stod(cell[6]));
        }
    }
    for (std::size_t a = 0; a < Regions().size(); ++a)
    {
        for (std::size_t b = 0; b < a; ++b)
        {
            const auto pair = std::minmax(Regions()[a].skyplaneName, Regions()[b].skyplaneName);
            // Typed with one decimal: within 0.05 ms and what doubles round.
            EXPECT_NEAR(RegionRoundTrip(a, b).ToSeconds() * 1e3, measured.at(pair), 0.0501)
                << pair.first << " " << pair.second;
        }
    }
}

TEST(Regions, ALinkWithoutDelayTakesHalfOfItsRegionsRoundTrip)
{
    const auto loaded = LoadSmall(
        {"wan_link[0].delay=", "data_center[0].region=eastus", "data_center[1].region=westeurope"});
    // 80.1 ms round trip.
    EXPECT_EQ(loaded.testbed.wan.links[0].delay, Duration::Microseconds(40050));
    EXPECT_EQ(loaded.provenance.resolved->wan_link(0).delay(), "40050us");
}

TEST(Regions, ADelayThatIsWrittenGoesBeforeTheRegions)
{
    const auto loaded =
        LoadSmall({"data_center[0].region=eastus", "data_center[1].region=westeurope"});
    EXPECT_EQ(loaded.testbed.wan.links[0].delay, Duration::Milliseconds(10));
}

TEST(Regions, TwoDataCentresOfOneRegionNeedADelay)
{
    EXPECT_NE(
        ErrorOfSmall(
            {"wan_link[0].delay=", "data_center[0].region=eastus", "data_center[1].region=eastus"}),
        "");
}

} // namespace

} // namespace geotrain
