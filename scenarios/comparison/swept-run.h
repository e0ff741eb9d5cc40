// SPDX-License-Identifier: GPL-2.0-only
// Makes one run of a comparison in a process of its own, and writes a run down as text, so that a
// process on another machine can make it.
#pragma once

#include "comparison/job-pool.h"
#include "comparison/planned-run.h"

#include <cstdint>
#include <string>
#include <vector>

namespace geotrain
{

/// RunManner is how a run is made, beside its scenario.
struct RunManner
{
    std::string commandLine;
    std::vector<std::string> ns3Defaults = {}; ///< of --ns3; written into each run-info.json
    bool drawsFigures = true; ///< false: runs have no figures and no report of their own
};

/// Makes the run, as one of `together` that share the memory limit. Returns the exit code.
int MakeRun(const PlannedRun& run,
            const RunManner& manner,
            std::int64_t together,
            const JobProgress& progress);

/// Returns the run as JSON, with the working folder that its paths are relative to.
std::string WriteRun(const PlannedRun& run, const RunManner& manner);

/// Makes the run that WriteRun() wrote, as MakeRun() does, in its working folder and with its libraries
/// and defaults of ns-3, which stay with this process.
int MakeWrittenRun(const std::string& written, std::int64_t together);

} // namespace geotrain
