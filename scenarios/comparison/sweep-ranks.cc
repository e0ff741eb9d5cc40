// SPDX-License-Identifier: GPL-2.0-only
#include "comparison/sweep-ranks.h"

#include "comparison/sweep-server.h"
#include "runner/run-watch.h"
#include "units/config-error.h"

#include <fmt/format.h>

#include <cstdlib>
#include <utility>

namespace geotrain
{

namespace
{

/// Returns the number in a variable of the environment; nothing where there is none.
std::optional<int>
NumberIn(const char* variable)
{
    const char* text = std::getenv(variable);
    return text != nullptr && *text != 0 ? std::optional(std::atoi(text)) : std::nullopt;
}

} // namespace

SweepRank
RankOfLaunch()
{
    const std::pair<const char*, const char*> variables[] = {
        {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
        {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"},
        {"PMI_RANK", "PMI_SIZE"}};
    for (const auto& [number, count] : variables)
    {
        if (NumberIn(number) && NumberIn(count))
        {
            return {*NumberIn(number), *NumberIn(count)};
        }
    }
    return {};
}

std::optional<int>
ServedAsRank(const std::string& out)
{
    const SweepRank rank = RankOfLaunch();
    if (rank.count > 1 && out.empty())
    {
        throw ConfigError("--out",
                          "",
                          "",
                          fmt::format("must name a folder that all {} ranks of this launch share",
                                      rank.count));
    }
    if (rank.number == 0)
    {
        return std::nullopt;
    }
    CatchInterrupts();
    return ServeSweep(out);
}

std::unique_ptr<SweepLead>
LeadOfLaunch(const std::filesystem::path& results, unsigned jobs)
{
    const int ranks = RankOfLaunch().count;
    return ranks > 1 ? std::make_unique<SweepLead>(results, jobs, ranks) : nullptr;
}

} // namespace geotrain
