// SPDX-License-Identifier: GPL-2.0-only
// Defines the exit codes that scripts rely on: 0 done; 1 the input is at fault; 2 the simulation
// did not finish; 3 an internal check failed.
#pragma once

#include <functional>

namespace geotrain
{

constexpr int exitDone = 0;
constexpr int exitInput = 1;
constexpr int exitUnfinished = 2;
constexpr int exitInternal = 3;

/// Runs `work` and returns its exit code. It turns an exception into a message on stderr and an
/// exit code.
int ExitCodeOf(const std::function<int()>& work);

/// Makes std::terminate exit with code 3 for the rest of the process. ns-3's checks call it after
/// their message.
void ExitOnTerminate();

} // namespace geotrain
