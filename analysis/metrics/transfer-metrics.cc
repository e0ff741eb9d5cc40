// SPDX-License-Identifier: GPL-2.0-only
#include "metrics/transfer-metrics.h"

#include "metrics/capacity-curve.h"
#include "metrics/statistics.h"
#include "trace/trace-error.h"

#include <algorithm>
#include <numeric>

namespace geotrain
{

namespace
{

/// TransferTally holds what a trace of bulk messages says.
struct TransferTally
{
    std::vector<double> completionSeconds;
    std::vector<double> fairness; ///< fairness of connections, per message
    double bits = 0;              ///< bits of the messages that were delivered
    std::int64_t firstNs = 0;     ///< start of the first message
    std::int64_t lastNs = 0;
    trace::TransferTotals totals;
    bool hasTotals = false;
};

void
Take(const trace::Record& record, TransferTally& tally)
{
    if (record.has_transfer_span())
    {
        const auto& span = record.transfer_span();
        tally.firstNs = tally.completionSeconds.empty() ? span.start_ns() : tally.firstNs;
        tally.completionSeconds.push_back(
            static_cast<double>(span.delivered_ns() - span.start_ns()) / 1e9);
        tally.fairness.push_back(span.connection_fairness());
        tally.bits += 8 * static_cast<double>(span.bytes());
        tally.lastNs = std::max(tally.lastNs, span.delivered_ns());
    }
    else if (record.has_transfer_totals())
    {
        tally.totals = record.transfer_totals();
        tally.hasTotals = true;
    }
    else if (record.has_run_end())
    {
        tally.lastNs = record.run_end().simulated_time_ns();
    }
}

void
AddTotals(Summary& summary, const TransferTally& tally)
{
    const auto& transfers = summary.header.transfers();
    if (tally.totals.has_lost_packets())
    {
        summary.lostPackets = tally.totals.lost_packets();
    }
    const auto delivered = static_cast<double>(tally.totals.delivered_bytes());
    auto& metrics = summary.metrics;
    metrics.push_back({"retransmitted_share",
                       static_cast<double>(tally.totals.retransmitted_bytes()) / delivered,
                       ""});
    metrics.push_back(
        {"mean_queueing_delay", static_cast<double>(tally.totals.mean_queueing_ns()) / 1e9, "s"});
    if (transfers.connections() > 1)
    {
        metrics.push_back(
            {"jain_index",
             transfers.cold() ? MeanOfSamples(tally.fairness) : tally.totals.connection_fairness(),
             ""});
    }
    if (!transfers.rival().empty())
    {
        const auto rival = static_cast<double>(tally.totals.rival_delivered_bytes());
        const double seconds = static_cast<double>(tally.lastNs) / 1e9;
        const double capacityBits = CapacityOfWan(summary.header).MeanIn(0, seconds) * seconds;
        metrics.push_back({"rival_goodput_over_capacity", 8 * rival / capacityBits, ""});
        metrics.push_back({"jain_index_rival", JainFairness({delivered, rival}), ""});
    }
}

} // namespace

Summary
SummarizeTransfers(TraceReader& reader)
{
    Summary summary;
    summary.header = reader.Header();
    TransferTally tally;
    while (const auto record = reader.Next())
    {
        Take(*record, tally);
        summary.Take(*record);
    }
    reader.RefuseTruncated();
    const auto& seconds = tally.completionSeconds;
    const double total = std::accumulate(seconds.begin(), seconds.end(), 0.0);
    if (seconds.empty() || total <= 0)
    {
        throw TraceError(reader.Path(), "must hold a message that was delivered, later than sent");
    }
    summary.completionTimes = DistributionOf(
        seconds, std::max<std::size_t>(seconds.size(), summary.header.transfers().messages()));
    auto& metrics = summary.metrics;
    metrics.push_back({"completion_time_p50", Percentile(seconds, 50), "s"});
    metrics.push_back({"completion_time_p99", Percentile(seconds, 99), "s"});
    metrics.push_back({"completion_time_mean", MeanOfSamples(seconds), "s"});
    metrics.push_back({"messages", static_cast<double>(seconds.size()), ""});
    metrics.push_back({"goodput", tally.bits / total, "bps"});
    const double capacity = CapacityOfWan(summary.header)
                                .MeanIn(static_cast<double>(tally.firstNs) / 1e9,
                                        static_cast<double>(tally.lastNs) / 1e9);
    metrics.push_back({"goodput_over_capacity", tally.bits / total / capacity, ""});
    if (tally.hasTotals)
    {
        AddTotals(summary, tally);
    }
    metrics.push_back({"simulated_time", static_cast<double>(tally.lastNs) / 1e9, "s"});
    metrics.push_back({"warnings", static_cast<double>(summary.warnings.size()), ""});
    return summary;
}

} // namespace geotrain
