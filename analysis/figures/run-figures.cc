// SPDX-License-Identifier: GPL-2.0-only
#include "figures/run-figures.h"

#include "figures/congestion-figure.h"
#include "figures/figure-files.h"
#include "figures/serving-figures.h"
#include "figures/throughput-figure.h"
#include "figures/timeline-figure.h"

#include <algorithm>

namespace geotrain
{

namespace
{

Files
DrawThroughputIn(MeasuredSpan window,
                 const WanThroughput& throughput,
                 const FigurePlace& folder)
{
    return throughput.bits.empty() ? Files{}
                                   : DrawThroughput(throughput, window, folder / "wan-throughput");
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
    const MeasuredSpan window = tally.LastIteration();
    Append(files,
           DrawThroughputIn(window, GatherWanThroughput(tally, window, throughputBins), folder));
    return files;
}

std::vector<std::filesystem::path>
DrawTransferFigures(const std::filesystem::path& trace, const FigurePlace& folder)
{
    Files files = DrawCongestion({{"", trace}}, folder / "congestion");
    TraceReader reader(trace.string());
    MeasuredSpan window{0, 1}; // grows from time 0 to the last delivery
    std::vector<trace::LinkSample> samples;
    while (const auto record = reader.Next())
    {
        window.endNs = std::max(window.endNs, record->transfer_span().delivered_ns());
        if (record->link_sample().link_class() == trace::LINK_CLASS_WAN)
        {
            samples.push_back(record->link_sample());
        }
    }
    Append(files,
           DrawThroughputIn(window, GatherWanThroughput(reader.Header(), samples, window, throughputBins), folder));
    return files;
}

} // namespace geotrain
