// SPDX-License-Identifier: GPL-2.0-only
// Plans run over packets, to see how far the analytic network's times can be trusted.
#pragma once

#include "loader/scenario-loader.h"

#include <filesystem>
#include <string>
#include <vector>

namespace geotrain
{

struct VerifiedPlan
{
    double analyticSeconds = 0;
    double packetSeconds = 0; ///< 0: the run failed
    std::string failure;

    /// Of the analytic time, relative to the packets'.
    double Error() const
    {
        return analyticSeconds / packetSeconds - 1;
    }
};

/// Runs the scenarios in `files` (folder/NAME.textproto, results to folder/NAME) over packets,
/// `jobs` at once, each in a process of its own. `analyticSeconds` are theirs.
std::vector<VerifiedPlan> VerifyPlans(const std::vector<std::filesystem::path>& files,
                                      const std::vector<double>& analyticSeconds,
                                      unsigned jobs,
                                      const std::string& commandLine);

/// "plan 2 is faster than plan 1 over packets (3.1 s, 3.4 s)", one for each pair that packets
/// reverse.
std::vector<std::string> ReversedRankings(const std::vector<VerifiedPlan>& plans);

} // namespace geotrain
