// SPDX-License-Identifier: GPL-2.0-only
// Checks the metrics of flows on a hand-made trace; the formula stands beside the number.
#include "metrics/flow-metrics.h"
#include "metrics/flows-csv.h"
#include "temporary-folder.h"
#include "trace/trace-error.h"
#include "trace/trace-writer.h"

#include <gtest/gtest.h>

namespace geotrain
{

namespace
{

constexpr std::int64_t oneSecondNs = 1000000000; // ns

/// Two steady flows over a link of 100 Mbit/s for 10 s: the first has 60 Mbit/s until the second
/// joins at 4 s with 10 Mbit/s, and from 6 s on both have 40 Mbit/s. The fair share is 80 Mbit/s of
/// payload, then 40.
trace::RunHeader
HeaderOfTwo()
{
    trace::RunHeader header;
    header.set_network("packet");
    header.add_nodes()->set_data_centre("a, b");
    header.add_nodes()->set_data_centre("c");
    header.set_wan_capacity_bps(1e8);
    auto& capacity = *header.add_wan_capacities();
    capacity.set_name("a, b -> c");
    capacity.set_bps(1e8);
    auto& transfers = *header.mutable_transfers();
    transfers.set_destination(1);
    transfers.set_duration_ns(10 * oneSecondNs);
    transfers.set_payload_share(0.8);
    for (int i = 0; i < 2; ++i)
    {
        auto& flow = *transfers.add_flows();
        flow.set_name(i == 0 ? "one" : "two");
        flow.set_group(flow.name());
        flow.set_destination(1);
        flow.set_congestion_control("TcpCubic");
        flow.set_connections(1);
        flow.set_start_ns(i == 0 ? 0 : 4 * oneSecondNs);
        flow.set_joins(i == 1);
        flow.set_stop_ns(10 * oneSecondNs);
        flow.add_links("a, b -> c");
        flow.set_capacity_bps(1e8);
        flow.set_round_trip_ns(oneSecondNs / 100);
        auto& share = *flow.add_fair_shares();
        share.set_from_ns(flow.start_ns());
        share.set_bps(i == 0 ? 8e7 : 4e7);
    }
    auto& later = *transfers.mutable_flows(0)->add_fair_shares();
    later.set_from_ns(4 * oneSecondNs);
    later.set_bps(4e7);
    return header;
}

void
WriteFlow(TraceWriter& writer, std::uint32_t number, std::int64_t at, double bits, int again)
{
    trace::Record record;
    auto& sample = *record.mutable_flow_sample();
    sample.set_time_ns(at);
    sample.set_destination(1);
    sample.set_flow_number(number);
    sample.set_rtt_ns(20000000);
    sample.set_delivered_bytes(static_cast<std::uint64_t>(bits / 8));
    sample.set_retransmitted_bytes(static_cast<std::uint64_t>(again));
    writer.Write(record);
}

void
WriteLink(TraceWriter& writer, std::int64_t at, std::uint64_t bits, std::int64_t queueNs)
{
    trace::Record record;
    auto& sample = *record.mutable_link_sample();
    sample.set_time_ns(at);
    sample.set_interval_ns(oneSecondNs / 10);
    sample.set_link("a, b -> c");
    sample.set_link_class(trace::LINK_CLASS_WAN);
    sample.set_bits(bits);
    sample.set_mean_queueing_ns(queueNs);
    writer.Write(record);
}

void
WriteTotalsOf(TraceWriter& writer, std::uint32_t number, double bits, std::uint64_t again)
{
    trace::Record record;
    auto& totals = *record.mutable_flow_totals();
    totals.set_flow_number(number);
    totals.set_delivered_bytes(static_cast<std::uint64_t>(bits / 8));
    totals.set_retransmitted_bytes(again);
    writer.Write(record);
}

void
WriteTraceOfTwo(const std::string& path)
{
    TraceWriter writer(path, HeaderOfTwo());
    double first = 0;
    double second = 0;
    for (int tenth = 1; tenth <= 100; ++tenth)
    {
        const std::int64_t at = tenth * (oneSecondNs / 10);
        first += tenth <= 40 ? 6e6 : tenth <= 60 ? 7e6 : 4e6;
        second += tenth <= 40 ? 0 : tenth <= 60 ? 1e6 : 4e6;
        WriteLink(writer, at, 8000000, tenth * 1000000);
        WriteFlow(writer, 1, at, first, 0);
        if (tenth >= 40)
        {
            WriteFlow(writer, 2, at, second, 0);
        }
    }
    WriteTotalsOf(writer, 1, first, 5000);
    WriteTotalsOf(writer, 2, second, 0);
    trace::RunEnd end;
    end.set_simulated_time_ns(10 * oneSecondNs);
    end.set_finished(true);
    writer.Finish(end);
}

class FlowMetrics : public testing::Test
{
  protected:
    FlowMetrics()
    {
        WriteTraceOfTwo(Path());
    }

    std::string Path() const
    {
        return (m_folder / "trace.pb").string();
    }

    FlowTally Tally() const
    {
        TraceReader reader(Path());
        return FlowTally(reader);
    }

    TemporaryFolder m_folder;
};

TEST_F(FlowMetrics, SayWhatEachFlowGotOverItsTime)
{
    const auto results = ResultsOf(Tally());
    // (4 s x 60 + 2 s x 70 + 4 s x 40 Mbit/s) / 10 s, and (2 x 10 + 4 x 40) / 6 s.
    EXPECT_NEAR(results[0].goodputBps, 54e6, 1);
    EXPECT_NEAR(results[1].goodputBps, 30e6, 1);
    // (4 s x 80 + 6 s x 40) / 10 s
    EXPECT_NEAR(results[0].fairShareBps, 56e6, 1);
    EXPECT_NEAR(results[1].fairShareBps, 40e6, 1);
}

TEST_F(FlowMetrics, AFlowHasConvergedFromWhenItsNextSecondIsNearlyFair)
{
    // Over the second from t = 6 s - x on it has (10 x + 40 (1 - x)) Mbit/s, which is 36 at
    // x = 4/30: the first sample after that is at 5.9 s, 1.9 s after the start.
    const auto results = ResultsOf(Tally());
    ASSERT_TRUE(results[1].convergenceSeconds);
    EXPECT_NEAR(*results[1].convergenceSeconds, 1.9, 1e-9);
    EXPECT_FALSE(results[0].convergenceSeconds); // it did not join
}

TEST_F(FlowMetrics, SummariseTheRun)
{
    TraceReader reader(Path());
    const auto summary = Summarize(reader);
    EXPECT_TRUE(summary.complete);
    EXPECT_NEAR(summary.Find("goodput").value(), (540e6 + 180e6) / 10, 1);
    EXPECT_NEAR(summary.Find("goodput_over_capacity").value(), 0.72, 1e-9);
    EXPECT_NEAR(summary.Find("retransmitted_share").value(), 5000 / (720e6 / 8), 1e-12);
    EXPECT_NEAR(summary.Find("bottleneck_utilization").value(), 0.8, 1e-9);
    // Nearest rank of 1, 2, ..., 100 ms.
    EXPECT_NEAR(summary.Find("queue_delay_p50").value(), 0.050, 1e-9);
    EXPECT_NEAR(summary.Find("queue_delay_p99").value(), 0.099, 1e-9);
    const double one = 54.0 / 56;
    const double two = 30.0 / 40;
    EXPECT_NEAR(summary.Find("jain_index").value(),
                (one + two) * (one + two) / (2 * (one * one + two * two)),
                1e-9);
    EXPECT_NEAR(summary.Find("convergence_time").value(), 1.9, 1e-9);
    EXPECT_NEAR(summary.Find("share_two").value(), 0.25, 1e-9);
    EXPECT_NEAR(summary.Find("rtt_p50_one").value(), 0.020, 1e-9);
    EXPECT_FALSE(summary.Find("completion_time_p50"));
}

TEST_F(FlowMetrics, TheTableQuotesWhatHasACommaAndLeavesOutWhatIsNotThere)
{
    WriteFlowsCsv(Tally(), m_folder / "flows.csv");
    const std::string table = Contents(m_folder / "flows.csv");
    EXPECT_NE(table.find("\none,one,\"a, b\",c,TcpCubic,1,0,,0,10,54000000,0.54,56000000,"),
              std::string::npos)
        << table;
    EXPECT_NE(table.find(",\"a, b -> c\",0.07,0.097,0.1,1.9,,,,,\n"), std::string::npos) << table;
}

TEST_F(FlowMetrics, BytesBetweenTwoSamplesAreInProportionToTheTime)
{
    const auto tally = Tally();
    EXPECT_NEAR(tally.flows[0].BytesAt(oneSecondNs / 20), 3e6 / 8, 1);
    EXPECT_NEAR(tally.flows[0].BytesAt(20 * oneSecondNs), 540e6 / 8, 1);
    EXPECT_EQ(tally.flows[0].BytesAt(0), 0);
}

/// As HeaderOfTwo(), but the second flow is there from the beginning and leaves at 4 s, and the first
/// has 40 Mbit/s until then, 60 until 6 s, and 80, its fair share, from then on.
void
WriteTraceOfALeave(const std::string& path, double finalRate)
{
    auto header = HeaderOfTwo();
    auto& transfers = *header.mutable_transfers();
    transfers.mutable_flows(0)->mutable_fair_shares(0)->set_bps(4e7);
    transfers.mutable_flows(0)->mutable_fair_shares(1)->set_bps(8e7);
    auto& second = *transfers.mutable_flows(1);
    second.set_start_ns(0);
    second.set_joins(false);
    second.set_stop_ns(4 * oneSecondNs);
    second.mutable_fair_shares(0)->set_from_ns(0);
    TraceWriter writer(path, header);
    double first = 0;
    for (int tenth = 1; tenth <= 100; ++tenth)
    {
        const std::int64_t at = tenth * (oneSecondNs / 10);
        first += tenth <= 40 ? 4e6 : tenth <= 60 ? 6e6 : finalRate / 10;
        WriteLink(writer, at, 8000000, 1000000);
        WriteFlow(writer, 1, at, first, 0);
        WriteFlow(writer, 2, at, 4e6 * std::min(tenth, 40), 0);
    }
    trace::RunEnd end;
    end.set_simulated_time_ns(10 * oneSecondNs);
    end.set_finished(true);
    writer.Finish(end);
}

TEST(FlowTrace, AFlowThatStaysHasConvergedFromWhenItsNextSecondIsNearlyFair)
{
    // Over the second from t = 6 s - x on it has (60 x + 80 (1 - x)) Mbit/s, which is 72 at x = 0.4:
    // 1.6 s after the other has left.
    const TemporaryFolder folder;
    const auto path = (folder / "trace.pb").string();
    WriteTraceOfALeave(path, 8e7);
    TraceReader reader(path);
    const auto summary = Summarize(reader);
    EXPECT_NEAR(summary.Find("leave_convergence_time").value(), 1.6, 1e-9);
    EXPECT_NEAR(summary.Find("leaves_converged").value(), 1, 1e-9);
    EXPECT_FALSE(summary.Find("convergence_time"));
}

TEST(FlowTrace, AFlowThatNeverTakesWhatAnotherLeftHasNotConverged)
{
    const TemporaryFolder folder;
    const auto path = (folder / "trace.pb").string();
    WriteTraceOfALeave(path, 7e7); // less than 72
    TraceReader reader(path);
    const auto summary = Summarize(reader);
    EXPECT_FALSE(summary.Find("leave_convergence_time"));
    EXPECT_EQ(summary.Find("leaves_converged").value(), 0);
}

TEST(FlowTrace, CompletionTimesAreByClassOfSizeWhereSizesAreDrawn)
{
    const TemporaryFolder folder;
    for (const bool isDrawn : {false, true})
    {
        const auto path = (folder / (isDrawn ? "drawn.pb" : "equal.pb")).string();
        auto header = HeaderOfTwo();
        header.mutable_transfers()->mutable_flows(1)->set_message_bytes(1000000);
        header.mutable_transfers()->mutable_flows(1)->set_draws_sizes(isDrawn);
        {
            TraceWriter writer(path, header);
            const std::pair<std::uint64_t, int> messages[] = {
                {10000, 1}, {10001, 2}, {100000, 4}, {30000000, 9}}; // bytes, s
            for (const auto& [bytes, seconds] : messages)
            {
                trace::Record record;
                auto& span = *record.mutable_transfer_span();
                span.set_flow_number(2);
                span.set_bytes(bytes);
                span.set_delivered_ns(seconds * oneSecondNs);
                writer.Write(record);
            }
            trace::RunEnd end;
            end.set_simulated_time_ns(10 * oneSecondNs);
            writer.Finish(end);
        }
        TraceReader reader(path);
        const auto summary = Summarize(reader);
        EXPECT_EQ(summary.Find("messages"), 4);
        // 5 ms and 80 kbit at 100 Mbit/s are 5.8 ms for 1 s; of four the second and the fourth.
        EXPECT_NEAR(*summary.Find("message_slowdown_p50"), 1 / 0.0058, 1e-6);
        EXPECT_NEAR(*summary.Find("message_slowdown_p99"), 2 / (0.005 + 80008 / 1e8), 1e-6);
        if (!isDrawn)
        {
            EXPECT_FALSE(summary.Find("messages_to_10kB"));
            continue;
        }
        EXPECT_EQ(summary.Find("completion_time_p50_to_10kB"), 1);
        EXPECT_EQ(summary.Find("completion_time_p50_to_100kB"), 2);
        EXPECT_EQ(summary.Find("completion_time_mean_to_100kB"), 3);
        EXPECT_EQ(summary.Find("messages_to_100kB"), 2);
        EXPECT_FALSE(summary.Find("completion_time_p50_to_1MB"));
        EXPECT_EQ(summary.Find("completion_time_p99_above_10MB"), 9);
    }
}

TEST(FlowTrace, RefusesASampleOfAFlowThatIsNotThere)
{
    const TemporaryFolder folder;
    const auto path = (folder / "trace.pb").string();
    {
        TraceWriter writer(path, HeaderOfTwo());
        WriteFlow(writer, 3, oneSecondNs, 1, 0);
        writer.Finish({});
    }
    TraceReader reader(path);
    EXPECT_THROW(FlowTally tally(reader), TraceError);
}

} // namespace

} // namespace geotrain
