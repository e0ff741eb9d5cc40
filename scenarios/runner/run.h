// SPDX-License-Identifier: GPL-2.0-only
// Runs a loaded scenario: makes its streams, network and executor, and writes a folder of results.
#pragma once

#include "loader/scenario-loader.h"
#include "metrics/summary.h"
#include "runner/run-variant.h"
#include "runner/run-watch.h"

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace geotrain
{

/// RunOptions say where a run writes, and what it is called.
struct RunOptions
{
    std::filesystem::path folder; ///< must exist and be empty
    RunVariant variant;           ///< empty outside of a comparison
    std::string commandLine;      ///< written into run-info.json
    std::vector<std::string> ns3Defaults = {}; ///< of --ns3; written into run-info.json
    ProgressCallback progress;    ///< may be empty
    StatusCallback status;        ///< may be empty
    bool drawsFigures = true;     ///< false: without figures/ and report.html
};

/// UnfinishedRun is thrown where a simulation stops with work undone. The text says who waits for
/// what.
class UnfinishedRun : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;
};

/// Runs the scenario, writes scenario.textproto, trace.pb, summary.csv, run-info.json, figures/ and
/// report.html, and returns the summary. Throws ConfigError, and TraceError when a file can't be written. Throws
/// UnfinishedRun after it has written everything that it can.
Summary Run(const LoadedScenario& scenario, const RunOptions& options);

} // namespace geotrain
