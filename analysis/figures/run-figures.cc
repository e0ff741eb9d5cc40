#include "figures/run-figures.h"

#include "figures/serving-figures.h"
#include "figures/throughput-figure.h"
#include "figures/timeline-figure.h"

namespace geotrain
{

std::vector<std::filesystem::path>
DrawRunFigures(const RunTally& tally, const std::filesystem::path& folder)
{
    std::vector<std::filesystem::path> files = DrawTimeline(tally, folder / "timeline");

    if (tally.Header().has_serving() && tally.MeasuredIterations() > 0)
    {
        const auto drawn = DrawServingFigures({{"", Summarize(tally)}}, folder);
        files.insert(files.end(), drawn.begin(), drawn.end());
    }

    const MeasuredSpan window = tally.LastIteration();
    const WanThroughput throughput = GatherWanThroughput(tally, window, throughputBins);
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
