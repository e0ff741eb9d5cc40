// SPDX-License-Identifier: GPL-2.0-only
// Checks the metrics of bulk messages on a hand-made trace; the formula stands beside the number.
#include "metrics/summary.h"
#include "pipeline-trace.h"
#include "temporary-folder.h"
#include "trace/trace-error.h"
#include "trace/trace-reader.h"
#include "trace/trace-writer.h"

#include <gtest/gtest.h>

namespace geotrain
{

namespace
{

trace::RunHeader
Header(std::uint32_t connections, bool cold, const std::string& rival)
{
    trace::RunHeader header;
    header.set_network("packet");
    header.add_nodes()->set_data_centre("a");
    header.add_nodes()->set_data_centre("b");
    header.set_wan_capacity_bps(1e9);
    auto& transfers = *header.mutable_transfers();
    transfers.set_destination(1);
    transfers.set_bytes(1000000);
    transfers.set_messages(4);
    transfers.set_connections(connections);
    transfers.set_cold(cold);
    transfers.set_rival(rival);
    return header;
}

// Four messages of 1 MB that take 10, 20, 30 and 40 ms, one after another.
void
WriteMessages(TraceWriter& writer)
{
    std::int64_t at = 0;
    for (int i = 1; i <= 4; ++i)
    {
        trace::Record record;
        auto& span = *record.mutable_transfer_span();
        span.set_number(static_cast<std::uint64_t>(i));
        span.set_bytes(1000000);
        span.set_start_ns(at);
        span.set_first_byte_ns(at + 5000000);
        span.set_sent_ns(at + 6000000);
        at += i * 10000000;
        span.set_delivered_ns(at);
        span.set_connection_fairness(0.2 * i);
        writer.Write(record);
    }
}

void
WriteTotals(TraceWriter& writer)
{
    trace::Record record;
    auto& totals = *record.mutable_transfer_totals();
    totals.set_delivered_bytes(4000000);
    totals.set_rival_delivered_bytes(2000000);
    totals.set_retransmitted_bytes(40000);
    totals.set_connection_fairness(0.75);
    totals.set_mean_queueing_ns(3000000);
    writer.Write(record);
    trace::RunEnd end;
    end.set_simulated_time_ns(100000000);
    end.set_finished(true);
    writer.Finish(end);
}

Summary
SummaryOf(const trace::RunHeader& header)
{
    const TemporaryFolder folder;
    const auto path = (folder / "trace.pb").string();
    TraceWriter writer(path, header);
    WriteMessages(writer);
    WriteTotals(writer);
    TraceReader reader(path);
    return Summarize(reader);
}

TEST(TransferMetrics, AreWhatTheMessagesTook)
{
    const auto summary = SummaryOf(Header(2, false, ""));
    EXPECT_TRUE(summary.complete);
    EXPECT_DOUBLE_EQ(*summary.Find("completion_time_p50"), 0.020); // nearest rank: the second of 4
    EXPECT_DOUBLE_EQ(*summary.Find("completion_time_p99"), 0.040);
    EXPECT_DOUBLE_EQ(*summary.Find("completion_time_mean"), 0.025);
    EXPECT_DOUBLE_EQ(*summary.Find("goodput"), 4 * 8e6 / 0.1);
    EXPECT_DOUBLE_EQ(*summary.Find("goodput_over_capacity"), 4 * 8e6 / 0.1 / 1e9);
    EXPECT_DOUBLE_EQ(*summary.Find("retransmitted_share"), 40000.0 / 4000000);
    EXPECT_DOUBLE_EQ(*summary.Find("mean_queueing_delay"), 0.003);
    EXPECT_DOUBLE_EQ(*summary.Find("jain_index"), 0.75);
    EXPECT_FALSE(summary.Find("jain_index_rival"));
    EXPECT_FALSE(summary.Find("iteration_time"));
    ASSERT_EQ(summary.completionTimes.size(), 4U);
    EXPECT_DOUBLE_EQ(summary.completionTimes[0].value, 0.010);
    EXPECT_DOUBLE_EQ(summary.completionTimes[0].share, 1.0 / 4);
}

// 4 of 8 messages have arrived: the distribution ends at a half.
TEST(TransferMetrics, MessagesThatDidNotArriveCountInTheDistribution)
{
    auto header = Header(2, false, "");
    header.mutable_transfers()->set_messages(8);
    const auto summary = SummaryOf(header);
    EXPECT_DOUBLE_EQ(summary.completionTimes.back().share, 0.5);
}

TEST(Distribution, HasAStepPerSampleAndEndsBelowOneWhereSomeHaveNone)
{
    const auto steps = DistributionOf({3, 1, 2}, 4);
    ASSERT_EQ(steps.size(), 3U);
    EXPECT_EQ(steps[0].value, 1);
    EXPECT_EQ(steps[0].share, 0.25);
    EXPECT_EQ(steps[2].value, 3);
    EXPECT_EQ(steps[2].share, 0.75);
    EXPECT_TRUE(DistributionOf({}, 0).empty());
}

TEST(Distribution, OfManySamplesHasAThousandSteps)
{
    std::vector<double> samples(100000);
    std::iota(samples.begin(), samples.end(), 1);
    const auto steps = DistributionOf(samples, 200000);
    ASSERT_EQ(steps.size(), 1000U);
    EXPECT_EQ(steps[499].value, 50000); // the median of the samples
    EXPECT_EQ(steps[499].share, 0.25);
    EXPECT_EQ(steps.back().value, 100000);
}

TEST(TransferMetrics, FairnessOfColdConnectionsIsTheMeanOverMessages)
{
    EXPECT_DOUBLE_EQ(*SummaryOf(Header(2, true, "")).Find("jain_index"), 0.2 * (1 + 2 + 3 + 4) / 4);
}

TEST(TransferMetrics, OneConnectionHasNoFairness)
{
    EXPECT_FALSE(SummaryOf(Header(1, false, "")).Find("jain_index"));
}

TEST(TransferMetrics, ARivalIsTheOtherOfTwoParties)
{
    const auto summary = SummaryOf(Header(1, false, "TcpCubic"));
    // (4 + 2)^2 / (2 (4^2 + 2^2))
    EXPECT_DOUBLE_EQ(*summary.Find("jain_index_rival"), 36.0 / 40);
    EXPECT_DOUBLE_EQ(*summary.Find("rival_goodput_over_capacity"), 8 * 2e6 / 0.1 / 1e9);
}

TEST(TransferMetrics, OfAKilledRunAreThoseOfWhatWasDelivered)
{
    const TemporaryFolder folder;
    const auto path = (folder / "trace.pb").string();
    {
        TraceWriter writer(path, Header(2, false, ""));
        WriteMessages(writer);
        writer.Flush();
    }
    TraceReader reader(path);
    const auto summary = Summarize(reader);
    EXPECT_FALSE(summary.complete);
    EXPECT_EQ(*summary.Find("messages"), 4);
    EXPECT_FALSE(summary.Find("retransmitted_share"));
}

TEST(TransferMetrics, WithoutAMessageThereIsNoSummary)
{
    const TemporaryFolder folder;
    const auto path = (folder / "trace.pb").string();
    TraceWriter writer(path, Header(2, false, ""));
    WriteTotals(writer);
    TraceReader reader(path);
    EXPECT_THROW(Summarize(reader), TraceError);
}

TEST(TransferMetrics, AHeaderWithoutBytesIsRefused)
{
    const TemporaryFolder folder;
    auto header = Header(2, false, "");
    header.mutable_transfers()->set_bytes(0);
    EXPECT_THROW(TraceWriter((folder / "trace.pb").string(), header), TraceError);
}

} // namespace

} // namespace geotrain
