// SPDX-License-Identifier: GPL-2.0-only
// Holds what the searching schedules share: candidates compared by their cost, and a hill climb
// from the best one.
#pragma once

#include "schedule/order-simulation.h"

#include <optional>

namespace geotrain
{

/// OrderSearch keeps the legal order of the least cost that is within its caps; the first of
/// equals.
class OrderSearch
{
  public:
    /// Goal is the cost that a search makes least.
    enum class Goal
    {
        Span, ///< the longest span, then the makespan
        Makespan
    };

    /// `held` says how activations count against the caps.
    explicit OrderSearch(const ScheduleRequest& request,
                         HeldForWeights held = HeldForWeights::Whole,
                         Goal goal = Goal::Span);

    /// Considers a candidate. `order` must carry the caps to which it is to keep; one that breaks
    /// them, or isn't legal, is skipped.
    void Consider(ScheduleOrder order);

    /// Moves single operations of the best order to other places of their worker's order, at random
    /// (seeded by the request), and keeps what costs less. It times about `budget` operations in
    /// all. It stops where the cost is the busiest worker's work, which nothing can beat.
    void Climb(std::uint64_t budget = 200000);

    /// Returns the best order. Throws std::invalid_argument if no candidate was legal.
    ScheduleOrder Best() const;

  private:
    struct Candidate
    {
        ScheduleOrder order;
        Duration cost;
        Duration makespan;
    };

    std::optional<Candidate> Rate(ScheduleOrder order) const;
    bool IsBetter(const Candidate& candidate) const;
    Duration LeastCost() const;

    ScheduleRequest m_request;
    HeldForWeights m_held;
    Goal m_goal;
    std::optional<Candidate> m_best;
};

} // namespace geotrain
