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

/// Draws the throughput that `gather` finds in the part of `window` that the user chose.
template <typename Gather>
Files
DrawThroughputIn(MeasuredSpan window,
                 const std::string& timeLabel,
                 const FigurePlace& place,
                 const Gather& gather)
{
    const auto [from, to] = place.TimeRange(0, window.Seconds());
    const auto at = [&](double seconds) { return window.startNs + std::llround(1e9 * seconds); };
    const WanThroughput throughput = gather(MeasuredSpan{at(from), at(to)});
    return throughput.bits.empty() ? Files{}
                                   : DrawThroughput(throughput, {from, to, timeLabel}, place);
}

} // namespace

std::vector<std::filesystem::path>
DrawRunFigures(const RunTally& tally, const FigurePlace& folder)
{
    Files files = DrawTimeline(tally, folder / "timeline");
    if (tally.Header().has_serving() && tally.MeasuredIterations() > 0)
    {
        Append(files, DrawServingFigures({{"", Summarize(tally)}}, folder));
    }
    Append(files,
           DrawThroughputIn(tally.LastIteration(),
                            "Time since the start of the iteration",
                            folder / "wan-throughput",
                            [&](MeasuredSpan part)
                            { return GatherWanThroughput(tally, part, throughputBins); }));
    return files;
}

std::vector<std::filesystem::path>
DrawTransferFigures(const std::filesystem::path& trace, const FigurePlace& folder)
{
    Files files = DrawCongestion({{"", trace}}, folder / "congestion");
    TraceReader reader(trace.string());
    if (reader.Header().transfers().flows_size() > 0)
    {
        TraceReader ofFlows(trace.string());
        Append(files, DrawFlowFigures(FlowTally(ofFlows), folder));
    }
    MeasuredSpan window{0, 1}; // grows to the last delivery, and in a killed run to the last sample
    std::int64_t lastSampleNs = 0;
    bool hasEnded = false;
    std::vector<trace::LinkSample> samples;
    while (const auto record = reader.Next())
    {
        window.endNs = std::max(window.endNs, record->transfer_span().delivered_ns());
        window.endNs = std::max(window.endNs, record->flow_sample().time_ns());
        if (record->link_sample().link_class() == trace::LINK_CLASS_WAN)
        {
            samples.push_back(record->link_sample());
            lastSampleNs = samples.back().time_ns();
        }
        hasEnded = hasEnded || record->has_run_end();
    }
    window.endNs = hasEnded ? window.endNs : std::max(window.endNs, lastSampleNs);
    Append(files,
           DrawThroughputIn(
               window,
               "Time",
               folder / "wan-throughput",
               [&](MeasuredSpan part)
               { return GatherWanThroughput(reader.Header(), samples, part, throughputBins); }));
    return files;
}

} // namespace geotrain
