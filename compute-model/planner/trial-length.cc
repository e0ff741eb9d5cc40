// SPDX-License-Identifier: GPL-2.0-only
#include "planner/trial-length.h"

#include "planner/plan-simulation.h"

#include <algorithm>

namespace geotrain
{

namespace
{

/// Most forwards of an iteration that is tried in part.
constexpr std::uint64_t mostForwardsOfPart = 8192;

/// Least microbatches of the longer iteration, in pipeline depths; half of them has a steady state.
constexpr std::uint32_t leastDepths = 4;

/// The longer iteration has so many microbatches, where a pipeline is not too deep for that; or four
/// times as many as are in flight where nothing holds them up, so that the shorter one has twice as
/// many.
constexpr std::uint32_t usualMicrobatches = 96;
constexpr double timesInFlight = 4;

/// Returns how many microbatches are on their way through a pipeline that is never held up: the time
/// of one of them, there and back, over that between two of them.
double
InFlight(const TrainingPlan& plan, const ScheduleTimes& times)
{
    Duration roundTrip;
    Duration period;
    for (std::uint32_t stage = 0; stage < times.stages.size(); ++stage)
    {
        const StageTiming& ofStage = times.stages[stage];
        const Duration work = ofStage.forward + ofStage.recompute + ofStage.Backward();
        const Hop hop = stage + 1 < times.stages.size() ? times.HopAfter(stage) : Hop();
        const std::int64_t turns = hop.takesTurns ? plan.cellSize : 1;
        roundTrip = roundTrip + work + (hop.delay + hop.occupancy * turns) * 2;
        period = std::max({period, work, hop.occupancy * turns});
    }
    return period > Duration() ? roundTrip.ToSeconds() / period.ToSeconds() : 0;
}

} // namespace

double
TrialLength::Extrapolated(std::uint32_t microbatches,
                          double secondsOfLonger,
                          double secondsOfShorter) const
{
    if (longer == shorter)
    {
        return secondsOfLonger;
    }
    const double period = (secondsOfLonger - secondsOfShorter) / (longer - shorter);
    return secondsOfLonger + period * (static_cast<double>(microbatches) - longer);
}

std::optional<TrialLength>
LengthOfTrials(const TrainingPlan& plan, const ScheduleTimes& times, const Cluster& cluster)
{
    const std::uint32_t all = plan.microbatches;
    const std::uint32_t stages = plan.pipelineStages;
    const std::uint64_t ofMicrobatch = std::uint64_t{stages} * plan.dataParallel;
    if (all * ofMicrobatch <= mostForwardsOfWhole)
    {
        return TrialLength{all, all, all * ofMicrobatch, true};
    }
    const std::uint64_t ofSome = ofMicrobatch / AlikeCells(plan, cluster);
    const double wanted =
        std::max<double>(usualMicrobatches, timesInFlight * InFlight(plan, times));
    const auto affordable = static_cast<double>(mostForwardsOfWhole / ofSome);
    const double most = std::max<double>(leastDepths * stages, std::min(wanted, affordable));
    // Rounds of a pipeline repeat with its depth, and some schedules need whole ones.
    const std::uint32_t left = most < all ? all - static_cast<std::uint32_t>(most) : 0;
    const std::uint32_t longer = all - left / stages * stages;
    const std::uint32_t shorter = left == 0 ? longer : longer - longer / 2 / stages * stages;
    const std::uint64_t forwards = longer * ofSome;
    return forwards <= mostForwardsOfPart
               ? std::optional(TrialLength{longer, shorter, forwards, false})
               : std::nullopt;
}

} // namespace geotrain
