// SPDX-License-Identifier: GPL-2.0-only
// Runs `geotrain figures --suite`: shows its progress, and what it has made.
#pragma once

#include "cli/verb.h"
#include "figures/figure-place.h"

#include <string>

namespace geotrain
{

/// SuiteArguments are the options of a suite.
struct SuiteArguments
{
    std::string suite; ///< "paper"; empty: no suite
    bool quick = false;
    std::string out;
    bool force = false;
    unsigned jobs = DefaultJobs();
};

/// Adds the suite's options to the verb.
void AddSuiteOptions(CLI::App& verb, SuiteArguments& arguments);

/// Makes the suite's figures, all or those that `choices` names, and returns the exit code. Throws
/// ConfigError.
int MakeSuite(const SuiteArguments& arguments,
              const FigureChoices& choices,
              const OutputOptions& output);

} // namespace geotrain
