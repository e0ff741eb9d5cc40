// SPDX-License-Identifier: GPL-2.0-only
#include "metrics/flows-csv.h"

#include "metrics/flow-metrics.h"
#include "metrics/statistics.h"
#include "trace/csv-cell.h"
#include "trace/result-file.h"

#include <fmt/format.h>

namespace geotrain
{

namespace
{

/// Returns a cell with a percentile; an empty one without samples.
std::string
PercentileCell(const std::vector<double>& samples, double percent)
{
    return samples.empty() ? "" : fmt::format("{}", Percentile(samples, percent));
}

std::string
MeanCell(const std::vector<double>& samples)
{
    return samples.empty() ? "" : fmt::format("{}", MeanOfSamples(samples));
}

std::string
RowOf(const FlowTally& tally, std::size_t index, const FlowResults& results)
{
    const auto& flow = tally.Flow(index);
    const auto& series = tally.flows[index];
    const auto siteOf = [&](std::uint32_t node)
    { return CsvCell(tally.header.nodes(static_cast<int>(node)).data_centre()); };
    const bool isSteady = flow.message_bytes() == 0;
    const double capacity = CapacityOfFlow(flow, tally.header)
                                .MeanIn(SecondsOf(flow.start_ns()), SecondsOf(flow.stop_ns()));
    std::string row = fmt::format("{},{},{},{},{},{},{},{},{},{}",
                                  flow.name(),
                                  flow.group(),
                                  siteOf(flow.source()),
                                  siteOf(flow.destination()),
                                  flow.congestion_control(),
                                  flow.connections(),
                                  flow.window_bytes(),
                                  isSteady ? "" : std::to_string(flow.message_bytes()),
                                  SecondsOf(flow.start_ns()),
                                  SecondsOf(flow.stop_ns()));
    row += fmt::format(",{},{},{},{}",
                       results.goodputBps,
                       Ratio(results.goodputBps, capacity),
                       isSteady ? fmt::format("{}", results.fairShareBps) : "",
                       Ratio(series.retransmittedBytes, series.deliveredBytes));
    row += fmt::format(",{},{},{},{},{},{},{},{}",
                       MeanCell(series.roundTripSeconds),
                       PercentileCell(series.roundTripSeconds, 50),
                       PercentileCell(series.roundTripSeconds, 95),
                       CsvCell(results.bottleneck),
                       PercentileCell(results.queueSeconds, 50),
                       PercentileCell(results.queueSeconds, 95),
                       PercentileCell(results.queueSeconds, 99),
                       results.convergenceSeconds ? fmt::format("{}", *results.convergenceSeconds)
                                                  : "");
    row += fmt::format(",{},{},{},{},{}\n",
                       isSteady ? "" : std::to_string(series.completionSeconds.size()),
                       PercentileCell(series.completionSeconds, 50),
                       PercentileCell(series.completionSeconds, 99),
                       MeanCell(series.completionSeconds),
                       MeanCell(results.afterLeaves.seconds));
    return row;
}

} // namespace

void
WriteFlowsCsv(const FlowTally& tally, const std::filesystem::path& path)
{
    std::string text =
        "flow,group,from,to,congestion_control,connections,window_bytes,message_bytes,start_s,"
        "stop_s,goodput_bps,share_of_capacity,fair_share_bps,retransmitted_share,rtt_mean_s,"
        "rtt_p50_s,rtt_p95_s,bottleneck,queue_delay_p50_s,queue_delay_p95_s,queue_delay_p99_s,"
        "convergence_time_s,messages,completion_time_p50_s,completion_time_p99_s,"
        "completion_time_mean_s,leave_convergence_time_s\n";
    const auto results = ResultsOf(tally);
    for (std::size_t flow = 0; flow < results.size(); ++flow)
    {
        text += RowOf(tally, flow, results[flow]);
    }
    WriteIntoPlace(path, text);
}

} // namespace geotrain
