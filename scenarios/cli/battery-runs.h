// SPDX-License-Identifier: GPL-2.0-only
// Shows the progress of a battery, and what it has made.
#pragma once

#include "battery/run-battery.h"
#include "cli/verb.h"

#include <functional>
#include <string>

namespace geotrain
{

/// Names the failed variants of a comparison on stderr, and returns the exit code of the first;
/// exitDone without any. `before` is what each line begins with.
int ReportFailures(const ComparisonTable& table, const std::string& before = "");

/// Says of how many interrupted runs --resume keeps how many, in front of the command that does.
std::string InterruptionText(std::size_t kept, std::size_t runs);

/// Runs `battery`, which is RunBattery() or what calls it, prints what it has made, and on stderr what
/// failed; returns the exit code. `resumeLine` is the command that goes on, should it be interrupted.
int ShowBattery(const std::function<BatteryResult(const BatteryOptions&)>& battery,
                BatteryOptions options,
                const OutputOptions& output,
                const std::string& resumeLine);

} // namespace geotrain
