// SPDX-License-Identifier: GPL-2.0-only
#include "figures/run-figures.h"

#include "figures/congestion-figure.h"
#include "figures/figure-files.h"
#include "figures/flow-figures.h"
#include "figures/serving-figures.h"
#include "figures/throughput-figure.h"
#include "figures/timeline-figure.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace geotrain
{

namespace
{

/// Draws the throughput that `gather` finds in the part of `window` that the user chose, in bins of
/// the WAN's round trip.
template <typename Gather>
Files
DrawThroughputIn(MeasuredSpan window,
                 const trace::RunHeader& header,
                 const std::string& timeLabel,
                 const FigurePlace& place,
                 const Gather& gather)
{
    const auto [from, to] = place.TimeRange(0, window.Seconds());
    const auto at = [&](double seconds) { return window.startNs + std::llround(1e9 * seconds); };
    const MeasuredSpan part{at(from), at(to)};
    const auto bins = BinsOf(part, header.wan_conditions().round_trip_ns());
    const WanThroughput throughput = gather(part, bins.count);
    return throughput.bits.empty() ? Files{}
                                   : DrawThroughput(throughput, {from, to, timeLabel, bins}, place);
}

/// Returns what a page says of a result that is not to be trusted; empty where there is no doubt.
std::string
CautionOf(const RunNotes& notes)
{
    return notes.doubt.empty() ? "" : "Not to be trusted: " + notes.doubt;
}

/// A TransferHistory is what a trace of bulk messages says of the time, the WAN and itself.
struct TransferHistory
{
    MeasuredSpan window{0, 1}; ///< to the last delivery, and in a killed run to the last sample
    std::vector<trace::LinkSample> samples; ///< of WAN links
    RunNotes notes;
};

TransferHistory
HistoryOf(TraceReader& reader)
{
    TransferHistory history;
    MeasuredSpan& window = history.window;
    bool hasEnded = false;
    while (const auto record = reader.Next())
    {
        window.endNs = std::max(window.endNs, record->transfer_span().delivered_ns());
        window.endNs = std::max(window.endNs, record->flow_sample().time_ns());
        if (record->link_sample().link_class() == trace::LINK_CLASS_WAN)
        {
            history.samples.push_back(record->link_sample());
        }
        history.notes.Take(*record);
        hasEnded = hasEnded || record->has_run_end();
    }
    if (!hasEnded && !history.samples.empty())
    {
        window.endNs = std::max(window.endNs, history.samples.back().time_ns());
    }
    return history;
}

} // namespace

std::vector<std::filesystem::path>
DrawRunFigures(const RunTally& tally, const FigurePlace& place)
{
    const FigurePlace folder = place.WithCaution(CautionOf(tally.notes));
    Files files = DrawTimeline(tally, folder / "timeline");
    if (tally.header.has_serving() && tally.MeasuredIterations() > 0)
    {
        Append(files, DrawServingFigures({{"", Summarize(tally)}}, folder));
    }
    Append(files,
           DrawThroughputIn(tally.LastIteration(),
                            tally.header,
                            "Time since the start of the iteration",
                            folder / "wan-throughput",
                            [&](MeasuredSpan part, std::size_t bins)
                            { return GatherWanThroughput(tally, part, bins); }));
    return files;
}

std::vector<std::filesystem::path>
DrawTransferFigures(const std::filesystem::path& trace,
                    std::uint32_t job,
                    const FigurePlace& place)
{
    TraceReader reader(trace.string(), job);
    const TransferHistory history = HistoryOf(reader);
    const FigurePlace folder = place.WithCaution(CautionOf(history.notes));
    Files files = DrawCongestion({{"", trace, job}}, folder / "congestion");
    if (reader.Header().transfers().flows_size() > 0)
    {
        TraceReader ofFlows(trace.string(), job);
        Append(files, DrawFlowFigures(FlowTally(ofFlows), folder));
    }
    Append(files,
           DrawThroughputIn(
               history.window,
               reader.Header(),
               "Time",
               folder / "wan-throughput",
               [&](MeasuredSpan part, std::size_t bins)
               { return GatherWanThroughput(reader.Header(), history.samples, part, bins); }));
    return files;
}

} // namespace geotrain
