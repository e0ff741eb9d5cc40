// SPDX-License-Identifier: GPL-2.0-only
// Runs `geotrain figures --suite`: shows its progress, and what it has made.
#pragma once

#include "cli/verb.h"

#include <string>
#include <vector>

namespace geotrain
{

/// SuiteArguments are the options of a suite.
struct SuiteArguments
{
    std::string suite; ///< "paper"; empty: no suite
    bool quick = false;
    std::vector<std::string> only; ///< names of figures; empty: all
    std::string out;
    bool force = false;
    unsigned jobs = 0; ///< processes at the same time; 0: as many as there are cores
};

/// Adds the suite's options to the verb.
void AddSuiteOptions(CLI::App& verb, SuiteArguments& arguments);

/// Makes the suite's figures and returns the exit code. Throws ConfigError.
int MakeSuite(const SuiteArguments& arguments,
              const OutputOptions& output,
              const std::string& commandLine);

} // namespace geotrain
