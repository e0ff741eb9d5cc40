// SPDX-License-Identifier: GPL-2.0-only
#include "loader/repetition-rules.h"

#include "loader/random-draws.h"

#include <boost/algorithm/string/join.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace geotrain
{

namespace
{

bool
Changes(const WanTopology::Link& link)
{
    return !link.outages.empty() || !link.RatesOf(true).steps.empty() ||
           !link.RatesOf(false).steps.empty();
}

/// Returns why no iteration may stand for those after it; empty where one may.
std::string
ReasonToSimulateAll(const Experiment& experiment)
{
    if (const auto draws = DrawsOf(experiment); !draws.empty())
    {
        return "each iteration draws anew: " + boost::algorithm::join(draws, ", ");
    }
    const auto& links = experiment.testbed.wan.links;
    if (experiment.run.network->hasPackets && std::any_of(links.begin(), links.end(), Changes))
    {
        return "a link has outages or rates that change";
    }
    const auto& jobs = experiment.jobs;
    const auto overlaps = [](const TrainingSpec& spec)
    { return spec.prepared.order.noFlush.has_value(); };
    return std::any_of(jobs.begin(), jobs.end(), overlaps)
               ? "iterations overlap in a schedule without flush"
               : "";
}

} // namespace

void
RequireRepeatable(const Experiment& experiment, const ScenarioFile& file)
{
    const double share = experiment.run.repeat;
    const auto reason = share > 0 ? ReasonToSimulateAll(experiment) : "";
    if (!reason.empty())
    {
        file.Fail("run.repeat", fmt::format("{}", share), "must not be set: " + reason);
    }
}

} // namespace geotrain
