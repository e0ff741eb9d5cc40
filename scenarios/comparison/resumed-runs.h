// SPDX-License-Identifier: GPL-2.0-only
// Decides which runs of an earlier comparison a resumed one keeps, and says why it starts others
// again.
#pragma once

#include "comparison/planned-run.h"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace geotrain
{

/// An EarlierState is what a run's folder holds of an earlier run.
struct EarlierState
{
    bool isComplete = false; ///< the same run, which ended without error
    /// For a run that ended without error but is not the same: how it differs.
    std::string difference = "";
};

/// Looks into the run's folder. `ns3Defaults` are the defaults of --ns3 under which it would run.
EarlierState StateOf(const PlannedRun& run, const std::vector<std::string>& ns3Defaults);

/// ResumedRuns count what a resumed comparison does with its runs.
struct ResumedRuns
{
    std::size_t kept = 0;
    std::size_t unfinished = 0; ///< had not ended without error
    std::map<std::string, std::size_t>
        different; ///< are started again: how many, by how they differ

    void Count(const EarlierState& state);

    /// Returns the counts in sentences, a line each; empty where nothing had ended.
    std::string Text() const;
};

} // namespace geotrain
