// SPDX-License-Identifier: GPL-2.0-only
// Says where a run writes, what it is called, and who watches it.
#pragma once

#include "runner/run-variant.h"
#include "runner/run-watch.h"

#include <filesystem>
#include <string>
#include <vector>

namespace geotrain
{

/// RunOptions say where a run writes, and what it is called.
struct RunOptions
{
    std::filesystem::path folder; ///< must exist and be empty; no path: nothing is written
    RunVariant variant;                        ///< empty outside of a comparison
    std::string commandLine;                   ///< written into run-info.json
    std::vector<std::string> ns3Defaults = {}; ///< of --ns3; written into run-info.json
    ProgressCallback progress;                 ///< may be empty
    StatusCallback status;                     ///< may be empty
    bool drawsFigures = true;                  ///< false: without figures/ and report.html
};

} // namespace geotrain
