// SPDX-License-Identifier: GPL-2.0-only
#include "planner/plan-selection.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>

namespace geotrain
{

namespace
{

/// The relative error that the estimates of the best plans keep to, as tests hold.
constexpr double estimateError = 0.15;

} // namespace

PlanSelection::PlanSelection(const std::vector<Candidate>& candidates,
                             std::size_t fastest,
                             std::size_t frontPoints)
    : m_candidates(candidates),
      m_fastest(fastest),
      m_frontPoints(frontPoints)
{
}

std::vector<std::size_t>
PlanSelection::ByTime() const
{
    std::vector<std::size_t> byTime(m_candidates.size());
    std::iota(byTime.begin(), byTime.end(), std::size_t{0});
    std::stable_sort(byTime.begin(),
                     byTime.end(),
                     [this](std::size_t a, std::size_t b)
                     {
                         const Candidate& first = m_candidates[a];
                         const Candidate& second = m_candidates[b];
                         return first.estimate.seconds != second.estimate.seconds
                                    ? first.estimate.seconds < second.estimate.seconds
                                    : first.price < second.price;
                     });
    return byTime;
}

std::vector<std::size_t>
PlanSelection::Selected() const
{
    auto byTime = ByTime();
    std::stable_partition(byTime.begin(),
                          byTime.end(),
                          [this](std::size_t index) { return m_candidates[index].isTried; });
    std::vector<std::size_t> selected(
        byTime.begin(),
        byTime.begin() + static_cast<std::ptrdiff_t>(std::min(byTime.size(), m_fastest)));
    AddOneOfEachKind(selected, byTime);
    std::set<std::size_t> taken(selected.begin(), selected.end());
    for (std::size_t index = 0; index < m_candidates.size(); ++index)
    {
        if (m_candidates[index].isGiven && taken.insert(index).second)
        {
            selected.push_back(index);
        }
    }
    const auto front = Front();
    const std::size_t points = std::min(front.size(), m_frontPoints);
    for (std::size_t point = 0; point < points; ++point)
    {
        const std::size_t index = front[(point + 1) * front.size() / points - 1];
        if (taken.insert(index).second)
        {
            selected.push_back(index);
        }
    }
    return selected;
}

/// Adds the fastest by estimate of each schedule, of each way to share the WAN and of each set of data
/// centres, and those of all combinations of schedule and sharing that may be the best within the
/// estimate's error, where they aren't selected.
void
PlanSelection::AddOneOfEachKind(std::vector<std::size_t>& selected,
                                const std::vector<std::size_t>& byTime) const
{
    std::set<std::string> schedules;
    std::set<std::pair<WanSharing, CrossDc>> sharing;
    std::set<std::set<std::uint32_t>> places;
    std::set<std::tuple<std::string, WanSharing, CrossDc>> combinations;
    const auto isFirst = [&](const Candidate& candidate, bool mayBeBest)
    {
        const TrainingPlan& plan = candidate.plan;
        const bool isOfNewSchedule = schedules.insert(plan.schedule).second;
        const bool isOfNewSharing = sharing.emplace(plan.sharing, plan.crossDc).second;
        const bool isOfNewPlace = places.insert(DataCentersOf(plan)).second;
        const bool isNew =
            mayBeBest && combinations.emplace(plan.schedule, plan.sharing, plan.crossDc).second;
        return isOfNewSchedule || isOfNewSharing || isOfNewPlace || isNew;
    };
    for (const std::size_t index : selected)
    {
        isFirst(m_candidates[index], true);
    }
    for (const std::size_t index : byTime)
    {
        const Candidate& candidate = m_candidates[index];
        const bool mayBeBest =
            candidate.isTried &&
            candidate.estimate.seconds <=
                (1 + estimateError) * m_candidates[byTime.front()].estimate.seconds;
        if (isFirst(candidate, mayBeBest))
        {
            selected.push_back(index);
        }
    }
}

/// Returns the candidates for which no other is both as fast and as cheap, the fastest first.
std::vector<std::size_t>
PlanSelection::Front() const
{
    std::vector<std::size_t> front;
    double cheapest = std::numeric_limits<double>::infinity();
    for (const std::size_t index : ByTime())
    {
        if (m_candidates[index].price < cheapest)
        {
            cheapest = m_candidates[index].price;
            front.push_back(index);
        }
    }
    return front;
}

} // namespace geotrain
