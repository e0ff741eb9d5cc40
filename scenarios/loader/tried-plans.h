// SPDX-License-Identifier: GPL-2.0-only
// Keeps what trials of schedules say, which take seconds: a comparison loads its scenario once for
// each variant and run, and most of these train alike.
#pragma once

#include "loader/schema-types.h"
#include "planner/schedule-trial.h"

#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <string>

namespace geotrain
{

/// TriedPlans belong to one scenario's text, and grow with the ways of training that its variants
/// have. A process that is forked has those of its parent. Any number of threads may use them.
class TriedPlans
{
  public:
    /// Returns what `trial` says, which is called once for all scenarios that train alike: those
    /// that differ at most in what is no part of training, such as seeds, prefills and fill jobs.
    TriedPlan Of(const scenario::Scenario& scenario, const std::function<TriedPlan()>& trial);

    /// Returns how many trials there were.
    std::size_t Count() const;

  private:
    mutable std::mutex m_mutex;
    std::map<std::string, TriedPlan> m_tried; ///< by what is trained
};

} // namespace geotrain
