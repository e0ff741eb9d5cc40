// SPDX-License-Identifier: GPL-2.0-only
// Counts why combinations of a plan space are not legal, and keeps the one that missed by least.
#pragma once

#include "training-plan/training-plan.h"

#include <cstdint>
#include <string>
#include <vector>

namespace geotrain
{

/// A PruneReason says why combinations are not legal. What rules out a whole branch counts once.
struct PruneReason
{
    std::string rule;
    std::uint64_t count = 0;
    std::string nearest;  ///< the combination that missed by least, and by what
    double shortfall = 0; ///< what that one lacked, in the rule's own unit
};

/// A PruneRule rules out combinations.
enum class PruneRule : std::size_t
{
    Share,
    Batch,
    Gpus,
    Room,
    Shape,
    Memory,
    Cell,
    Hierarchy,
    Rules ///< their number
};

/// PruneReasons are the reasons of one visit, by rule.
class PruneReasons
{
  public:
    PruneReasons();

    /// Counts a combination. `text` is only made for the nearest miss so far.
    template <typename Text>
    void Count(PruneRule rule, const TrainingPlan& plan, double shortfall, Text text)
    {
        PruneReason& reason = m_reasons[static_cast<std::size_t>(rule)];
        if (++reason.count == 1 || shortfall < reason.shortfall)
        {
            reason.shortfall = shortfall;
            reason.nearest = Degrees(plan) + ": " + text();
        }
    }

    const std::vector<PruneReason>& All() const
    {
        return m_reasons;
    }

  private:
    static std::string Degrees(const TrainingPlan& plan);

    std::vector<PruneReason> m_reasons;
};

/// Returns the reasons of several visits together; there must be one. What no visit counted is left
/// out.
std::vector<PruneReason> Joined(const std::vector<std::vector<PruneReason>>& visits);

/// Returns a sentence that says for each rule what the nearest miss lacked.
std::string WhatIsMissing(const std::vector<PruneReason>& pruned);

} // namespace geotrain
