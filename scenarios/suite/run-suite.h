// SPDX-License-Identifier: GPL-2.0-only
// Makes the figures of a suite: runs what is not complete in its folder, on all cores, then draws.
#pragma once

#include "suite/suite.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace geotrain
{

/// SuiteWork says what a suite is going to do.
struct SuiteWork
{
    std::size_t figures = 0;
    std::size_t runs = 0;    ///< runs that are not complete
    std::size_t allRuns = 0; ///< with those that are
    double cpuSeconds = 0;   ///< processor time of `runs`, about
};

/// SuiteOptions say where a suite works, and how.
struct SuiteOptions
{
    std::filesystem::path out; ///< folder; empty: results/<suite>-<n>
    bool force = false;        ///< replaces what another suite or other settings left in `out`
    std::vector<std::string> only; ///< names of figures; empty: all
    unsigned jobs = 1;         ///< number of processes at the same time
    std::string commandLine;
    FigureChoices choices = {}; ///< of width, title and formats; `only` there must be empty

    /// Called once before the first run; may be empty.
    std::function<void(const SuiteWork& work)> announce;

    /// Called with the share of the work that is done, in [0, 1], and what is going on; may be empty.
    std::function<void(double share, const std::string& what)> progress;
};

/// A SuiteFailure is a run or a figure that failed, and why.
struct SuiteFailure
{
    std::string what;
    int exitCode = 0;
    std::string error;
};

/// A SuiteReport says what a suite has made.
struct SuiteReport
{
    std::filesystem::path folder;
    std::size_t figures = 0; ///< number of figures that were drawn
    std::vector<SuiteFailure> failures;
    bool isInterrupted = false; ///< true: runs are left to do, and nothing was drawn
};

/// Makes the figures of `suite`. The folder gets runs/SET/VARIANT[/seed-N], the sets'
/// comparison.csv, figures/NAME.*, and the captions in index.md and report.html. Complete runs of the same
/// settings that the folder has are kept, so that a suite that was killed goes on. Throws
/// ConfigError where the folder holds anything else, or runs of other settings, and for a name in
/// `only` that the suite does not have.
SuiteReport RunSuite(const Suite& suite, const SuiteOptions& options);

} // namespace geotrain
