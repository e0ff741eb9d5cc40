// SPDX-License-Identifier: GPL-2.0-only
// Computes the recorded completion times of ns-3's sockets again with the fast oracle, which sends
// as they do without their scan of the sent list.
#include "stock-oracle.h"
#include "stock-recording.h"

#include <gtest/gtest.h>

namespace
{

using namespace ns3;

class StockRecording : public testing::TestWithParam<StockRecord>
{
};

TEST_P(StockRecording, IsWhatStockTcpTakes)
{
    const StockRecord& record = GetParam();
    const TransferResult stock = StockTransfer(
        OptionsOf(record), LinkOf(record), recordedSize, {}, nullptr, StockSender::Fast);
    EXPECT_EQ(stock.completionNs, record.completionNs);
}

INSTANTIATE_TEST_SUITE_P(Recorded,
                         StockRecording,
                         testing::ValuesIn(stockRecords),
                         [](const testing::TestParamInfo<StockRecord>& parameter)
                         { return NameOf(parameter.param); });

} // namespace
