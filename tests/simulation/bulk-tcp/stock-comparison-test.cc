// bulk-tcp's stock-compatible preset against ns-3's own sockets over the same LinkModel, each test live. The sizes are
// such that stock TCP, whose cost grows with the window, takes seconds.
#include "stock-oracle.h"

#include <gtest/gtest.h>

#include <string>
#include <tuple>

namespace
{

using namespace ns3;
using geotrain::BitRate;
using geotrain::Bytes;
using geotrain::Duration;

LinkModel::Settings
Link(std::int64_t rateMbps, std::int64_t rttMs)
{
    LinkModel::Settings link;
    link.rate = BitRate::BitsPerSecond(rateMbps * 1000000);
    link.delay = Duration::Microseconds(rttMs * 500);
    link.name = "link";
    return link;
}

BulkTcpOptions
Preset(const std::string& control, std::int64_t mtu)
{
    BulkTcpOptions options = BulkTcpOptions::StockCompatible();
    options.congestionControl = control;
    options.mtu = Bytes::Of(mtu);
    options.window = Bytes::Of(2000000);
    return options;
}

using LossFree = std::tuple<std::string, int, int>; ///< control, RTT in ms, MTU

class LossFreeTransfer : public testing::TestWithParam<LossFree>
{
};

TEST_P(LossFreeTransfer, TakesTheTimeOfStockTcp)
{
    const auto [control, rttMs, mtu] = GetParam();
    const BulkTcpOptions options = Preset(control, mtu);
    const LinkModel::Settings link = Link(500, rttMs);
    const std::uint64_t size = 20000000;
    const TransferResult stock = StockTransfer(options, link, size, {});
    const TransferResult express = ExpressTransfer(options, link, size, {});
    ASSERT_GT(stock.completionNs, 0);
    // 0.1 %: both are deterministic; what differs is single packets at the start.
    EXPECT_NEAR(static_cast<double>(express.completionNs),
                static_cast<double>(stock.completionNs),
                0.001 * static_cast<double>(stock.completionNs));
}

INSTANTIATE_TEST_SUITE_P(
    Controls,
    LossFreeTransfer,
    testing::Combine(testing::Values("TcpNewReno", "TcpCubic", "TcpBbr", "TcpHtcp"),
                     testing::Values(2, 10, 40),
                     testing::Values(1500, 9000)),
    [](const testing::TestParamInfo<LossFree>& parameter)
    {
        return std::get<0>(parameter.param) + "Rtt" + std::to_string(std::get<1>(parameter.param)) +
               "Mtu" + std::to_string(std::get<2>(parameter.param));
    });

} // namespace
