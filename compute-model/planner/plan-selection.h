// SPDX-License-Identifier: GPL-2.0-only
// Chooses by estimate which candidates of a search are worth a simulation: the fastest, the fastest
// of each schedule, sharing and set of data centres, those that are given, and points of the front of
// time against cost.
#pragma once

#include "planner/plan-candidates.h"

#include <cstddef>
#include <vector>

namespace geotrain
{

/// PlanSelection chooses among candidates by what their estimates say at the time of the call.
class PlanSelection
{
  public:
    /// The `fastest` fastest candidates are selected, and up to `frontPoints` of the front.
    /// `candidates` must outlive this.
    PlanSelection(const std::vector<Candidate>& candidates,
                  std::size_t fastest,
                  std::size_t frontPoints);

    /// Returns all candidates, the fastest by estimate first.
    std::vector<std::size_t> ByTime() const;

    /// Returns the fastest by estimate, tried ones first, then one of each kind, those that are
    /// given, and points of the front, spread over its length.
    std::vector<std::size_t> Selected() const;

  private:
    void AddOneOfEachKind(std::vector<std::size_t>& selected,
                          const std::vector<std::size_t>& byTime) const;
    std::vector<std::size_t> Front() const;

    const std::vector<Candidate>& m_candidates;
    std::size_t m_fastest;
    std::size_t m_frontPoints;
};

} // namespace geotrain
