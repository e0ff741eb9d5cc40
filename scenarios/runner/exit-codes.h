// SPDX-License-Identifier: GPL-2.0-only
// Defines the exit codes that scripts rely on: 0 done; 1 the input is at fault; 2 the simulation
// did not finish; 3 an internal check failed; 4 a program of `geotrain live --exec` failed.
#pragma once

#include <functional>
#include <string>

namespace geotrain
{

constexpr int exitDone = 0;
constexpr int exitInput = 1;
constexpr int exitUnfinished = 2;
constexpr int exitInternal = 3;
constexpr int exitProgram = 4;

/// A WorkOutcome is how a piece of work ended.
struct WorkOutcome
{
    int code = exitDone;
    std::string error; ///< message of the exception that ended the work; empty where none did
};

/// Runs `work`, which returns its exit code. An exception becomes an exit code and a message.
WorkOutcome OutcomeOf(const std::function<int()>& work);

/// Runs `work` and returns its exit code. An exception's message goes to stderr.
int ExitCodeOf(const std::function<int()>& work);

/// Makes std::terminate exit with code 3 for the rest of the process. ns-3's checks call it after
/// their message. `report` is called before, and may be empty.
void ExitOnTerminate(std::function<void()> report = {});

} // namespace geotrain
