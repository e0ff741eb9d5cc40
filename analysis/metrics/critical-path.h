// SPDX-License-Identifier: GPL-2.0-only
// The critical path of an iteration: the computations, messages and collectives, one after another,
// that set its length. It goes back from the end of the iteration to its start. Where two messages
// or two members of a collective came at the same instant, it follows one of them.
#pragma once

#include "metrics/causal-history.h"
#include "metrics/gpu-time.h"

#include <filesystem>
#include <string>
#include <vector>

namespace geotrain
{

/// A PathTime is what all steps of one kind on a critical path take.
struct PathTime
{
    std::string cause; ///< "wan_propagation"
    double seconds = 0;
    std::size_t steps = 0;
};

/// Returns the steps of the critical path through `iteration`, in order of time. Their lengths add
/// to its length. They refer to the trace that `history` refers to.
std::vector<CausalStep> CriticalPath(const CausalHistory& history, MeasuredSpan iteration);

/// Returns the name of a step's kind: "compute", "wan_turn", "local" and so on.
std::string NameOfCause(CauseKind kind);

/// Says what a step is: "forward 3", "gradient 2", "all_reduce".
std::string WhatOf(const CausalStep& step);

/// Returns the times of the kinds of steps that the path has, longest first.
std::vector<PathTime> PathTimes(const std::vector<CausalStep>& path);

/// Writes a row per step to `path`. Times are in ns since the start of the iteration.
void WriteCriticalPathCsv(const std::vector<CausalStep>& steps,
                          const trace::RunHeader& header,
                          const std::filesystem::path& path);

} // namespace geotrain
