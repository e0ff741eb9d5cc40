// SPDX-License-Identifier: GPL-2.0-only
// The exit codes that scripts rely on: 0 done; 1 the input is at fault; 2 the simulation did not
// finish; 3 an internal check failed.
#pragma once

#include <functional>

namespace geotrain
{

constexpr int exitDone = 0;
constexpr int exitInput = 1;
constexpr int exitUnfinished = 2;
constexpr int exitInternal = 3;

/// Runs `work` and turns what it throws into a message on stderr and an exit code.
int ExitCodeOf(const std::function<int()>& work);

/// From now on std::terminate, which ns-3's checks end in after their message, exits with 3.
void ExitOnTerminate();

} // namespace geotrain
