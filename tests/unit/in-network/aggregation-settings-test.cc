// SPDX-License-Identifier: GPL-2.0-only
// Each bad setting gets one line that names field, value and rule.
#include "in-network/in-network-settings.h"

#include "error-text.h"

#include <gtest/gtest.h>

#include <functional>

namespace geotrain
{
namespace
{

struct BadCluster
{
    const char* name;
    std::function<void(InNetworkClusterSettings&)> change;
    const char* line;
};

void
PrintTo(const BadCluster& bad, std::ostream* stream)
{
    *stream << bad.name;
}

class InNetworkError : public testing::TestWithParam<BadCluster>
{
};

TEST_P(InNetworkError, IsOneLineWithFieldValueAndRule)
{
    InNetworkClusterSettings settings;
    GetParam().change(settings);
    EXPECT_EQ(ErrorText([&settings] { settings.Check(); }), GetParam().line);
}

const BadCluster badClusters[] = {
    {"NoPayload",
     [](auto& settings) { settings.aggregation.payload = Bytes(); },
     "in_network.payload: \"0\" must hold an integer and be at most 9000B"},
    {"CreditBelowAPacket",
     [](auto& settings) { settings.aggregation.window = Bytes::Of(1000); },
     "in_network.credit: \"1kB\" must be at least a packet's payload, 1024B"},
    {"CreditBeyondTheSlots",
     [](auto& settings) { settings.aggregation.slots = 100; },
     "in_network.credit: \"375kB\" must be at most the slots, 102400B"},
    {"WorkersAboveTheBitmap",
     [](auto& settings) { settings.workers = 65; },
     "in_network.switches: \"65\" must be at most 64 children below one switch, the width of its "
     "bitmap: take a tree"},
    {"TimeoutWithinAnInterval",
     [](auto& settings) { settings.aggregation.timeout = Duration::Microseconds(10); },
     "in_network.timeout: \"10us\" must be more than heartbeat_interval, 10us"},
    {"SlotsBeyondTheMemory",
     [](auto& settings) { settings.aggregation.switchMemory = Bytes::Of(2000000); },
     // 512 slots, 2 copies of 512 integers of 4 bytes and 16 bytes of state
     "in_network.switch_memory: \"2MB\" must hold the slots, 2113536B"},
    {"ServersWhereOneAdds",
     [](auto& settings)
     {
         settings.addsAtServer = true;
         settings.servers = 2;
     },
     "in_network.servers: \"2\" must be 1 where each packet is acknowledged or the "
     "server "
     "adds"},
    {"TwoRoots",
     [](auto& settings) {
         settings.switches = {4, 2};
     },
     "in_network.switches: \"2\" must end with one root, 1"},
    {"MoreSwitchesThanWorkers",
     [](auto& settings) {
         settings.switches = {9, 1};
     },
     "in_network.switches: \"9\" must be at most the number of what is below, 8"},
    {"MemoryBelowTheNic",
     [](auto& settings) { settings.server.memory = BitRate::GigabitsPerSecond(150); },
     "in_network.memory_rate: \"150Gbps\" must carry the two directions of a server's link, "
     "200Gbps"}};

INSTANTIATE_TEST_SUITE_P(All,
                         InNetworkError,
                         testing::ValuesIn(badClusters),
                         [](const auto& test) { return test.param.name; });

TEST(AggregationSettingsTest, SixtyFourWorkersFitOneSwitch)
{
    InNetworkClusterSettings settings;
    settings.workers = 64;
    EXPECT_NO_THROW(settings.Check());
}

TEST(AggregationSettingsTest, TreeTakesMoreWorkersThanABitmapIsWide)
{
    InNetworkClusterSettings settings;
    settings.workers = 1000;
    settings.switches = {32, 1};
    EXPECT_EQ(settings.MostChildren(), 32); // 1000 / 32 = 31.25
    EXPECT_NO_THROW(settings.Check());
}

} // namespace
} // namespace geotrain
