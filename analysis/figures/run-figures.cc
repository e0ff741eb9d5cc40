#include "figures/run-figures.h"

#include "figures/congestion-figure.h"
#include "figures/serving-figures.h"
#include "figures/throughput-figure.h"
#include "figures/timeline-figure.h"

#include <algorithm>

namespace geotrain
{

namespace
{

using Files = std::vector<std::filesystem::path>;

void
Append(Files& files, const Files& more)
{
    files.insert(files.end(), more.begin(), more.end());
}

Files
DrawThroughputIn(MeasuredSpan window,
                 const std::filesystem::path& trace,
                 const std::filesystem::path& folder)
{
    TraceReader reader(trace.string());
    const WanThroughput throughput = GatherWanThroughput(reader, window, throughputBins);
    return throughput.bits.empty() ? Files{}
                                   : DrawThroughput(throughput, window, folder / "wan-throughput");
}

// From time 0 to the last delivery.
MeasuredSpan
SpanOfTransfers(const std::filesystem::path& trace)
{
    TraceReader reader(trace.string());
    MeasuredSpan span{0, 1};
    while (const auto record = reader.Next())
    {
        span.endNs = std::max(span.endNs, record->transfer_span().delivered_ns());
    }
    return span;
}

Files
DrawTransferRun(const std::filesystem::path& trace, const std::filesystem::path& folder)
{
    Files files = DrawCongestion({{"", trace}}, folder / "congestion");
    Append(files, DrawThroughputIn(SpanOfTransfers(trace), trace, folder));
    return files;
}

} // namespace

std::vector<std::filesystem::path>
DrawRunFigures(const std::filesystem::path& trace, const std::filesystem::path& folder)
{
    TraceReader reader(trace.string());
    if (reader.Header().has_transfers())
    {
        return DrawTransferRun(trace, folder);
    }
    const RunTally tally(reader);
    Files files = DrawTimeline(tally, folder / "timeline");
    if (tally.Header().has_serving() && tally.MeasuredIterations() > 0)
    {
        TraceReader forSummary(trace.string());
        Append(files, DrawServingFigures({{"", Summarize(forSummary)}}, folder));
    }
    Append(files, DrawThroughputIn(tally.LastIteration(), trace, folder));
    return files;
}

} // namespace geotrain
