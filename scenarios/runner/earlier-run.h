// SPDX-License-Identifier: GPL-2.0-only
// Reads the folder of an earlier run with all that it takes to repeat the run, and compares the
// results of two runs byte for byte.
#pragma once

#include "loader/scenario-text.h"
#include "runner/run-info.h"
#include "runner/run.h"

#include <filesystem>
#include <string>
#include <vector>

namespace geotrain
{

/// An EarlierRun is a run that ended, as its folder holds it.
struct EarlierRun
{
    ScenarioText text;      ///< the resolved scenario, with its seed and network
    RunOptions options;     ///< variant and defaults of ns-3; the folder is not set
    BuildVersions versions; ///< of the program that ran it
    std::vector<ControlLibrary> libraries; ///< as they were then; the text names them in run.load
};

/// Reads the run of a folder. Throws ConfigError, which names --again, where it holds no run that
/// ended.
EarlierRun ReadEarlierRun(const std::filesystem::path& folder);

/// A RunDifference is what differs between the results of two runs.
struct RunDifference
{
    bool trace = false;               ///< trace.pb after decompression
    bool summary = false;             ///< summary.csv
    std::vector<std::string> metrics; ///< such as "iteration_time: 3.1 s, now 3.2 s"
};

/// Compares the results of two folders. Throws TraceError where a file can't be read.
RunDifference DifferenceOf(const std::filesystem::path& earlier, const std::filesystem::path& now);

} // namespace geotrain
