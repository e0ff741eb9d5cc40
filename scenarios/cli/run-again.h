// SPDX-License-Identifier: GPL-2.0-only
// Repeats the run of a folder and says whether the bytes agree: `geotrain run --again DIR`.
#pragma once

#include "cli/verb.h"

#include <filesystem>
#include <string>
#include <vector>

namespace geotrain
{

/// AgainRequest says which run to repeat, and where.
struct AgainRequest
{
    std::filesystem::path earlier;
    std::vector<std::string> load; ///< where libraries of the earlier run are now
    std::string out;               ///< folder of the new run; empty: results/<name>-<n>
    bool force = false;
    OutputOptions output;
};

/// Repeats the run. Returns exit code 0 where trace.pb (after decompression) and summary.csv are
/// equal, 1 where they differ and so do the versions that made them, and 3 where the same version
/// gave other bytes. Throws ConfigError where the folder holds no run that can be repeated.
int RunAgain(const AgainRequest& request);

} // namespace geotrain
