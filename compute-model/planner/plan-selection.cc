// SPDX-License-Identifier: GPL-2.0-only
#include "planner/plan-selection.h"

#include "planner/plan-twins.h"

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

PlanSelection::PlanSelection(std::vector<Candidate>& candidates,
                             const Cluster& cluster,
                             std::size_t fastest,
                             std::size_t frontPoints)
    : m_candidates(candidates),
      m_cluster(cluster),
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
PlanSelection::Selected()
{
    auto byTime = ByTime();
    std::stable_partition(byTime.begin(),
                          byTime.end(),
                          [this](std::size_t index) { return m_candidates[index].isTried; });
    for (std::size_t rank = 0; rank < byTime.size() && m_selected.size() < m_fastest; ++rank)
    {
        Add(byTime[rank]);
    }
    AddOneOfEachKind(byTime);
    for (std::size_t index = 0; index < m_candidates.size(); ++index)
    {
        if (m_candidates[index].isGiven)
        {
            Add(index);
        }
    }
    const auto front = Front();
    const std::size_t points = std::min(front.size(), m_frontPoints);
    for (std::size_t point = 0; point < points; ++point)
    {
        Add(front[(point + 1) * front.size() / points - 1]);
    }
    return m_selected;
}

bool
PlanSelection::AreAlike(const Candidate& a, const Candidate& b) const
{
    return AreAboutEqual(a.screenedSeconds, b.screenedSeconds) &&
           HaveAlikeHosts(a.plan, b.plan, m_cluster);
}

/// Selects a candidate, where neither it nor a twin of it is selected. A given one has no other's row
/// unless it takes the same time.
void
PlanSelection::Add(std::size_t index)
{
    if (!m_seen.insert(index).second)
    {
        return;
    }
    const Candidate& candidate = m_candidates[index];
    for (const std::size_t selected : m_selected)
    {
        Candidate& one = m_candidates[selected];
        const double seconds = one.estimate.seconds;
        const bool isSame = one.isTried && candidate.isTried &&
                            candidate.estimate.seconds == seconds &&
                            AreTwins(one.plan, seconds, candidate.plan, seconds, m_cluster);
        if (isSame || (!candidate.isGiven && AreAlike(one, candidate)))
        {
            one.twins.push_back(candidate.plan);
            one.isGiven = one.isGiven || candidate.isGiven;
            return;
        }
    }
    m_selected.push_back(index);
}

/// Adds the fastest by estimate of each schedule, of each way to share the WAN and of each set of data
/// centres, and those of all combinations of schedule and sharing that may be the best within the
/// estimate's error, where they aren't selected.
void
PlanSelection::AddOneOfEachKind(const std::vector<std::size_t>& byTime)
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
    for (const std::size_t index : m_selected)
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
            Add(index);
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
