// SPDX-License-Identifier: GPL-2.0-only
// One run: a loaded scenario becomes streams, a network and an executor, and leaves a folder.
#pragma once

#include "loader/scenario-loader.h"
#include "metrics/summary.h"
#include "runner/run-watch.h"

#include <filesystem>
#include <stdexcept>
#include <string>

namespace geotrain
{

struct RunOptions
{
    std::filesystem::path folder; ///< is there, and empty
    std::string variant;          ///< of a comparison; else empty
    std::string commandLine;
    ProgressCallback progress; ///< may be empty
};

/// The simulation came to a halt with work undone. The text says who waits for what.
class UnfinishedRun : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;
};

/// Runs and writes scenario.textproto, trace.pb, summary.csv, run-info.json and figures/. Throws
/// ConfigError, TraceError, and UnfinishedRun after everything that could be written is there.
Summary Run(const LoadedScenario& scenario, const RunOptions& options);

} // namespace geotrain
