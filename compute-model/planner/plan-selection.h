// SPDX-License-Identifier: GPL-2.0-only
// Chooses by estimate which candidates of a search are worth a simulation: the fastest, the fastest
// of each schedule, sharing and set of data centres, those that are given, and points of the front of
// time against cost.
#pragma once

#include "planner/plan-candidates.h"

#include <cstddef>
#include <set>
#include <vector>

namespace geotrain
{

/// PlanSelection chooses among candidates by what their estimates say at the time of the call.
class PlanSelection
{
  public:
    /// The `fastest` fastest candidates are selected, and up to `frontPoints` of the front.
    /// All must outlive this.
    PlanSelection(std::vector<Candidate>& candidates,
                  const Cluster& cluster,
                  std::size_t fastest,
                  std::size_t frontPoints);

    /// Returns all candidates, the fastest by estimate first.
    std::vector<std::size_t> ByTime() const;

    /// Returns the fastest by estimate, tried ones first, then one of each kind, those that are
    /// given, and points of the front, spread over its length. One that is a selected one by another
    /// name, as short iterations say, becomes its twin. It may be called once.
    std::vector<std::size_t> Selected();

    /// Returns whether two candidates have alike hosts and take about the same time by formula.
    bool AreAlike(const Candidate& a, const Candidate& b) const;

  private:
    void Add(std::size_t index);
    void AddOneOfEachKind(const std::vector<std::size_t>& byTime);
    std::vector<std::size_t> Front() const;

    std::vector<Candidate>& m_candidates;
    const Cluster& m_cluster;
    std::size_t m_fastest;
    std::size_t m_frontPoints;
    std::vector<std::size_t> m_selected;
    std::set<std::size_t> m_seen; ///< those, and their twins
};

} // namespace geotrain
