// SPDX-License-Identifier: GPL-2.0-only
// Names messages, collectives, and what a worker waits for in the reports of an executor.
#pragma once

#include "execution/execution-observer.h"
#include "execution/execution-plan.h"

#include <string>
#include <vector>

namespace geotrain
{

/// Returns a text such as "activation of microbatch 3 from replica 0 stage 1 to replica 0 stage 2".
std::string NameOfMessage(const ExecutionPlan& plan, const Message& message);

/// Returns a text such as "all-reduce of replica 0 stage 1 and 3 others".
std::string NameOfCollective(const ExecutionPlan& plan, const Instruction& collective);

/// Returns what a worker does, or waits for, at the instruction that it has come to.
std::string WaitOf(const ExecutionPlan& plan, const Instruction& instruction, bool isComputing);

/// Returns the lines of a report, one below the other. Of many lines, those that differ in numbers
/// alone are one: the first, with how many are like it.
std::string LinesTogether(const std::vector<std::string>& lines);

} // namespace geotrain
