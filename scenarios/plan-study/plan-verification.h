// SPDX-License-Identifier: GPL-2.0-only
// Runs plans over packets, to check the times that the analytic network gave them.
#pragma once

#include "loader/scenario-loader.h"
#include "runner/run-watch.h"

#include <filesystem>
#include <string>
#include <vector>

namespace geotrain
{

/// A VerifiedPlan holds a plan's iteration times over both networks.
struct VerifiedPlan
{
    double analyticSeconds = 0;
    double packetSeconds = 0; ///< 0 where the run failed
    std::string failure;      ///< reason why the run failed; empty otherwise

    /// Returns the relative error of the analytic time; the time over packets is the reference.
    double Error() const
    {
        return analyticSeconds / packetSeconds - 1;
    }
};

/// Runs the scenarios in `files` over packets, `jobs` at once, each in a process of its own. A
/// scenario in folder/NAME.textproto leaves its results in folder/NAME. `analyticSeconds` are the
/// scenarios' iteration times over the analytic network. `progress` is called with the share
/// of all runs that is done.
std::vector<VerifiedPlan> VerifyPlans(const std::vector<std::filesystem::path>& files,
                                      const std::vector<double>& analyticSeconds,
                                      unsigned jobs,
                                      const std::string& commandLine,
                                      const ProgressCallback& progress);

/// Returns a sentence for each pair of plans whose ranking is reversed over packets: "plan 2 is
/// faster than plan 1 over packets (3.1 s, 3.4 s)".
std::vector<std::string> ReversedRankings(const std::vector<VerifiedPlan>& plans);

} // namespace geotrain
