// SPDX-License-Identifier: GPL-2.0-only
// Holds what the searching schedules share: candidates compared by their cost, and a hill climb
// from the best one. What a search takes is bounded: candidates for very many microbatches are
// compared over the first ones, and only so many operations are timed.
#pragma once

#include "schedule/order-simulation.h"

#include <functional>
#include <optional>
#include <vector>

namespace geotrain
{

/// Operations that a search times, at most; they take a few seconds.
constexpr std::uint64_t mostOperationsTimed = 40000000;

/// Returns the number of operations of all workers.
std::uint64_t OperationsOf(const ScheduleOrder& order);

/// A Recipe makes a candidate for a request, of however many microbatches, that carries the caps to
/// which it is to keep; nothing where it has none.
using Recipe = std::function<std::optional<ScheduleOrder>(const ScheduleRequest& request)>;

/// Returns the requests for which a scheduler that plans one pipeline makes candidates: `request`
/// itself, or, where pipelines take turns, one in which a message has its way first and one in which
/// it has it last of the cell. In both the way is occupied for all turns of the cell.
std::vector<ScheduleRequest> ViewsOfOnePipeline(const ScheduleRequest& request);

/// Returns the request for which a search compares candidates: with at most 4,096 microbatches, or
/// four times the activations that workers hold where that is more. Their number leaves the same
/// rest as the request's when it is divided by the stages.
ScheduleRequest ComparedRequest(const ScheduleRequest& request);

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

    /// Considers a candidate, made for each view of one pipeline and timed for all pipelines that
    /// take turns. One that breaks its caps, or isn't legal, is skipped. So is every
    /// candidate once mostOperationsTimed have been timed.
    void Consider(const Recipe& recipe);

    /// Moves single operations of the best order to other places of their worker's order, at random
    /// (seeded by the request), and keeps what costs less. It times about `budget` operations in
    /// all. It stops where the cost is the busiest worker's work, which nothing can beat. It does
    /// nothing where candidates are compared over fewer microbatches than the request has.
    void Climb(std::uint64_t budget = 200000);

    /// Returns the best order, for all microbatches. Throws std::invalid_argument if no candidate
    /// was legal.
    ScheduleOrder Best() const;

  private:
    struct Candidate
    {
        ScheduleOrder order;
        Duration cost;
        Duration makespan;
    };

    /// A RatedRecipe is a candidate that has to be made again for all microbatches.
    struct RatedRecipe
    {
        Recipe recipe;
        Duration cost;
        Duration makespan;
    };

    void ConsiderPlain(const Recipe& recipe);
    void Consider(ScheduleOrder order);
    std::optional<Candidate> Rate(const ScheduleRequest& request, ScheduleOrder order) const;
    std::uint64_t PipelinesTimed() const;
    bool IsBetter(const Candidate& candidate) const;
    bool IsShortened() const;
    ScheduleOrder MadeAgain() const;
    Duration LeastCost() const;

    ScheduleRequest m_request;
    ScheduleRequest m_compared;
    HeldForWeights m_held;
    Goal m_goal;
    std::optional<Candidate> m_best;
    std::vector<RatedRecipe> m_recipes; ///< of legal candidates, where IsShortened()
    std::uint64_t m_timed = 0;          ///< operations
};

} // namespace geotrain
