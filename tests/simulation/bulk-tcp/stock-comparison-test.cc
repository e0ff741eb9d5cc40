// SPDX-License-Identifier: GPL-2.0-only
// Compares bulk-tcp's stock-compatible preset without loss with the recorded times of ns-3's own
// sockets over the same LinkModel, and the fast oracle with those sockets themselves.
#include "stock-oracle.h"
#include "stock-recording.h"

#include <gtest/gtest.h>

#include <memory>
#include <sstream>
#include <string>

namespace
{

using namespace ns3;

class LossFreeTransfer : public testing::TestWithParam<StockRecord>
{
};

TEST_P(LossFreeTransfer, TakesTheTimeOfStockTcp)
{
    const StockRecord& record = GetParam();
    const TransferResult express =
        ExpressTransfer(OptionsOf(record), LinkOf(record), recordedSize, {});
    // The requirement is 0.1 %. The measured times are the same nanosecond in all 24 cases.
    EXPECT_NEAR(static_cast<double>(express.completionNs),
                static_cast<double>(record.completionNs),
                0.001 * static_cast<double>(record.completionNs));
}

INSTANTIATE_TEST_SUITE_P(Recorded,
                         LossFreeTransfer,
                         testing::ValuesIn(stockRecords),
                         [](const testing::TestParamInfo<StockRecord>& parameter)
                         { return NameOf(parameter.param); });

std::string
LogText(const ObservedControl::Log& log)
{
    std::ostringstream text;
    for (const ObservedControl::Call& call : log)
    {
        text << call << "\n";
    }
    return text.str();
}

class FastOracle : public testing::TestWithParam<std::string>
{
};

TEST_P(FastOracle, CallsTheControlAsTheScanningSocketDoes)
{
    // The case is small enough for the scan: 140 segments fill path and buffer, and slow start
    // overruns them.
    const StockRecord record{GetParam().c_str(), 10, 9000, 0};
    const BulkTcpOptions options = OptionsOf(record);
    LinkModel::Settings link = LinkOf(record);
    link.rate = geotrain::BitRate::BitsPerSecond(500000000);
    link.queue = QueueLimit::OfBytes(geotrain::Bytes::Of(625000));
    constexpr std::uint64_t size = 20000000;
    const auto scanning = std::make_shared<ObservedControl::Log>();
    const auto fast = std::make_shared<ObservedControl::Log>();
    StockTransfer(options, link, size, {}, scanning);
    StockTransfer(options, link, size, {}, fast, StockSender::Fast);
    ASSERT_GT(scanning->size(), 1000U);
    EXPECT_EQ(LogText(*fast), LogText(*scanning));
}

INSTANTIATE_TEST_SUITE_P(Controls,
                         FastOracle,
                         testing::Values("TcpNewReno", "TcpCubic", "TcpBbr", "TcpHtcp"),
                         [](const testing::TestParamInfo<std::string>& parameter)
                         { return parameter.param; });

} // namespace
