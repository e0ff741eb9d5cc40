// SPDX-License-Identifier: GPL-2.0-only
// Measures how time and memory of the Executor on the analytic network grow with the instructions:
// iterations of 10,240 GPUs with more and more microbatches. It writes a table, and the figures
// executor-time and executor-memory in a folder.

#include "wide-cluster.h"

#include "execution/plan-run.h"
#include "figures/curve-family-figure.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <ctime>
#include <exception>
#include <filesystem>
#include <stdexcept>

namespace geotrain
{
namespace
{

struct Sample
{
    double millionInstructions = 0;
    double seconds = 0;   ///< seconds of processor time, planning included
    double megabytes = 0; ///< largest memory of the process so far
};

Sample
RunIteration(std::uint32_t microbatches)
{
    const WideCluster cluster;
    const std::clock_t start = std::clock();
    const ExecutionPlan plan = cluster.Plan(microbatches);
    AnalyticNetwork network(cluster.Topology());
    const PlanOutcome outcome = PlanRun(plan, network, {}).Run(Instant::Never());
    if (!outcome.IsDone())
    {
        throw std::logic_error(outcome.report);
    }
    Sample sample;
    sample.seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    sample.millionInstructions = static_cast<double>(InstructionsOf(plan)) * 1e-6;
    rusage usage = {};
    getrusage(RUSAGE_SELF, &usage);
    sample.megabytes = static_cast<double>(usage.ru_maxrss) * 1024e-6;
    return sample;
}

void
Scale(const std::filesystem::path& folder)
{
    CurvePoints time;
    CurvePoints memory;
    fmt::print("microbatches  instructions (millions)  time (s)  memory (MB)\n");
    for (std::uint32_t microbatches = 64; microbatches <= 512; microbatches += 64)
    {
        const Sample sample = RunIteration(microbatches);
        time.emplace_back(sample.millionInstructions, sample.seconds);
        memory.emplace_back(sample.millionInstructions, sample.megabytes);
        fmt::print("{:12}  {:23.2f}  {:8.2f}  {:11.0f}\n",
                   microbatches,
                   sample.millionInstructions,
                   sample.seconds,
                   sample.megabytes);
    }
    const char* work = "Instructions (millions)";
    DrawCurveFamily(SingleCurve(work, "Time (s)", time), folder / "executor-time");
    DrawCurveFamily(SingleCurve(work, "Memory (MB)", memory), folder / "executor-memory");
}

} // namespace
} // namespace geotrain

int
main(int argc, char** argv)
{
    try
    {
        if (argc != 2)
        {
            throw std::invalid_argument("usage: geotrain-executor-scaling FOLDER");
        }
        geotrain::Scale(argv[1]);
        return 0;
    }
    catch (const std::exception& error)
    {
        fmt::print(stderr, "geotrain-executor-scaling: {}\n", error.what());
        return 1;
    }
}
