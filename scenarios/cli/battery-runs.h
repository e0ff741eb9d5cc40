// SPDX-License-Identifier: GPL-2.0-only
// Runs `geotrain compare congestion-control-battery`: shows its progress, and what it has made.
#pragma once

#include "battery/run-battery.h"
#include "cli/verb.h"
#include "comparison/variants.h"

#include <string>
#include <vector>

namespace geotrain
{

/// BatteryArguments are the options of compare that a battery takes.
struct BatteryArguments
{
    VariantRequest variants;
    std::vector<std::string> ns3;
    std::vector<std::string> load; ///< libraries with congestion controls
    std::string seeds;
    unsigned jobs = 1;
    std::string out;
    bool force = false;
    bool resume = false;
    std::string card; ///< congestion control; empty: no report card
};

/// Runs `battery`, which is RunBattery() or what calls it, with its progress on a line that is gone when
/// it returns.
BatteryResult RunWithProgress(const std::function<BatteryResult(const BatteryOptions&)>& battery,
                              BatteryOptions options,
                              const OutputOptions& output);

/// Prints what the battery has made, and on stderr what failed; returns the exit code. `resumeLine`
/// is the command that goes on, should it be interrupted.
int ReportBattery(const BatteryResult& result,
                  const BatteryOptions& options,
                  const OutputOptions& output,
                  const std::string& resumeLine);

/// Runs the battery and returns the exit code. `resumeLine` returns the command that goes on, for the
/// folder of the results. Throws ConfigError.
int MakeBattery(const BatteryArguments& arguments,
                const OutputOptions& output,
                const std::string& commandLine,
                const std::function<std::string(const std::string& folder)>& resumeLine);

} // namespace geotrain
