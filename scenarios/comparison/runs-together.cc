// SPDX-License-Identifier: GPL-2.0-only
#include "comparison/runs-together.h"

#include "loader/scenario-loader.h"
#include "runner/run-memory.h"
#include "units/config-error.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace geotrain
{

void
RefuseTogether(const std::vector<MemoryEstimate>& runs,
               unsigned jobs,
               Bytes limit,
               const std::string& file)
{
    std::vector<double> bytes;
    for (const auto& run : runs)
    {
        bytes.push_back(run.Bytes());
    }
    std::sort(bytes.rbegin(), bytes.rend());
    bytes.resize(std::min<std::size_t>(bytes.size(), jobs));
    const auto most = static_cast<double>(limit.Count());
    if (std::accumulate(bytes.begin(), bytes.end(), 0.0) <= most)
    {
        return;
    }
    for (const auto& run : runs)
    {
        run.RefuseAbove(limit, file);
    }
    std::size_t fit = 0;
    for (double sum = 0; sum + bytes[fit] <= most; ++fit)
    {
        sum += bytes[fit];
    }
    throw ConfigError(file,
                      "",
                      "",
                      fmt::format("{} runs at once need about {} of memory, and may use {} "
                                  "(run.memory_limit): use --jobs {}",
                                  bytes.size(),
                                  MemoryText(std::accumulate(bytes.begin(), bytes.end(), 0.0)),
                                  MemoryText(most),
                                  fit));
}

void
RefuseTooLargeTogether(const ScenarioText& text,
                       const VariantPlans& plans,
                       std::size_t seeds,
                       unsigned jobs)
{
    std::vector<MemoryEstimate> runs;
    Bytes limit;
    for (const auto& variant : plans.variants)
    {
        try
        {
            const auto scenario = LoadScenario(text, variant.assignments);
            const auto memory = MemoryOf(scenario);
            const auto own = variant.seeds.empty() ? seeds : variant.seeds.size();
            runs.insert(runs.end(), std::min<std::size_t>(own, jobs), memory);
            limit = std::max(limit, scenario.run.memoryLimit);
        }
        catch (const ConfigError&)
        {
            continue; // the run of the variant will report the error
        }
    }
    RefuseTogether(runs, jobs, limit, text.file);
}

} // namespace geotrain
