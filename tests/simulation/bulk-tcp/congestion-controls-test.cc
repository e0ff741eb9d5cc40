// Every congestion control of ns-3 under listed losses, or marks for DCTCP, against ns-3's own sockets.
#include "stock-oracle.h"

#include "bulk-tcp/model/congestion-control-types.h"
#include "units/config-error.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace
{

using namespace ns3;
using geotrain::BitRate;
using geotrain::Bytes;
using geotrain::Duration;

constexpr std::int64_t mtu = 1500;
constexpr std::uint32_t segment = 1448;
constexpr std::uint64_t size = 30000000; // bytes

std::vector<std::string>
Controls()
{
    return {"TcpNewReno", "TcpLinuxReno", "TcpCubic",   "TcpBic",    "TcpBbr",      "TcpDctcp",
            "TcpHighSpeed", "TcpHtcp",    "TcpHybla",   "TcpIllinois", "TcpLedbat", "TcpLp",
            "TcpScalable", "TcpVegas",    "TcpVeno",    "TcpWestwood", "TcpYeah"};
}

class Control : public testing::TestWithParam<std::string>
{
};

TEST_P(Control, WithFiveListedLossesTakesTheTimeOfStockTcp)
{
    BulkTcpOptions options = BulkTcpOptions::StockCompatible();
    options.congestionControl = GetParam();
    options.mtu = Bytes::Of(mtu);
    options.window = Bytes::Of(1000000);
    LinkModel::Settings link;
    link.rate = BitRate::BitsPerSecond(200000000);
    link.delay = Duration::Milliseconds(5);
    link.name = "link";
    ListedFaults faults;
    // The first in slow start, the others in congestion avoidance.
    for (const std::uint64_t number : {150, 2000, 6000, 11000, 16000})
    {
        (GetParam() == "TcpDctcp" ? faults.marked : faults.dropped).insert(number * segment);
    }
    const TransferResult stock = StockTransfer(options, link, size, faults);
    const TransferResult express = ExpressTransfer(options, link, size, faults);
    ASSERT_GT(stock.completionNs, 0);
    EXPECT_GE(stock.faults, 3U);
    EXPECT_EQ(express.faults, stock.faults);
    // 1 %: a loss is repaired a packet earlier or later, which the window remembers.
    EXPECT_NEAR(static_cast<double>(express.completionNs),
                static_cast<double>(stock.completionNs),
                0.01 * static_cast<double>(stock.completionNs));
}

INSTANTIATE_TEST_SUITE_P(OfNs3,
                         Control,
                         testing::ValuesIn(Controls()),
                         [](const testing::TestParamInfo<std::string>& parameter) {
                             return parameter.param;
                         });

TEST(CongestionControlTypes, AllSeventeenAreFoundByShortName)
{
    for (const std::string& name : Controls())
    {
        EXPECT_EQ(FindCongestionControl(name).GetName(), "ns3::" + name);
    }
}

TEST(CongestionControlTypes, AnUnknownNameIsRefused)
{
    EXPECT_THROW(FindCongestionControl("TcpTahiti"), geotrain::ConfigError);
}

TEST(CongestionControlTypes, ATypeThatIsNoCongestionControlIsRefused)
{
    EXPECT_THROW(FindCongestionControl("ns3::Node"), geotrain::ConfigError);
}

} // namespace
