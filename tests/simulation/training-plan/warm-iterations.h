// SPDX-License-Identifier: GPL-2.0-only
// How long a warm iteration of a scenario of the library takes where it asks for what is fastest.
#pragma once

#include "scenario-runs.h"

#include "comparison/schedule-fallback.h"
#include "loader/scenario-loader.h"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

namespace geotrain
{

/// Returns a scenario of the library as it runs where it asks for what is fastest.
inline Experiment
LoadFastest(const char* name, std::vector<Assignment> assignments)
{
    const ScenarioText text = ReadScenarioText(name);
    assignments.push_back({"schedule.fallback=FASTEST", "test"});
    return LoadScenario(text, WithFallback(text, assignments));
}

/// Returns three-dc-gpt with two iterations on the analytic network.
inline Experiment
LoadTwoIterations(std::vector<Assignment> assignments)
{
    for (const char* every :
         {"run.network=ANALYTIC", "run.warmup_iterations=1", "run.iterations=1"})
    {
        assignments.push_back({every, "test"});
    }
    return LoadFastest("three-dc-gpt", assignments);
}

/// Returns the seconds of the second iteration of a run, with its warm-ups.
inline double
WarmIterationSeconds(const Experiment& loaded)
{
    return RunOnce(loaded).Find("iteration_time").value();
}

inline double
WarmIterationSeconds(const std::vector<Assignment>& assignments)
{
    return WarmIterationSeconds(LoadTwoIterations(assignments));
}

/// Returns the seconds of the fastest 1F1B of which no worker holds more than `cap` activations: the
/// first one holds 2f + 1 of them on three stages, f being the warm-up factor.
inline double
FastestOneForwardOneBackward(const std::vector<Assignment>& settings, int cap)
{
    double least = std::numeric_limits<double>::infinity();
    for (int factor = 1; 2 * factor + 1 <= cap; ++factor)
    {
        auto plain = settings;
        plain.push_back({"schedule.name=1f1b", "test"});
        plain.push_back({"schedule.warmup_factor=" + std::to_string(factor), "test"});
        least = std::min(least, WarmIterationSeconds(plain));
    }
    return least;
}

} // namespace geotrain
