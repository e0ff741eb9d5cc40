#include "figures/run-figures.h"

#include "figures/serving-figures.h"
#include "figures/throughput-figure.h"
#include "figures/timeline-figure.h"

namespace geotrain
{

std::vector<std::filesystem::path>
DrawRunFigures(const std::filesystem::path& trace, const std::filesystem::path& folder)
{
    TraceReader reader(trace.string());
    const RunTally tally(reader);
    std::vector<std::filesystem::path> files = DrawTimeline(tally, folder / "timeline");

    if (tally.Header().has_serving() && tally.MeasuredIterations() > 0)
    {
        TraceReader forSummary(trace.string());
        const auto drawn = DrawServingFigures({{"", Summarize(forSummary)}}, folder);
        files.insert(files.end(), drawn.begin(), drawn.end());
    }

    TraceReader again(trace.string());
    const MeasuredSpan window = tally.LastIteration();
    const WanThroughput throughput = GatherWanThroughput(again, window, throughputBins);
    if (!throughput.bits.empty())
    {
        for (auto& file : DrawThroughput(throughput, window, folder / "wan-throughput"))
        {
            files.push_back(std::move(file));
        }
    }
    return files;
}

} // namespace geotrain
