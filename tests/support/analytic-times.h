// SPDX-License-Identifier: GPL-2.0-only
// Runs a loaded scenario's training on the run's own analytic network, for tests that ask for its
// times alone.
#pragma once

#include "execution/plan-run.h"
#include "runner/analytic-run-network.h"
#include "runner/run-plan.h"

#include <gtest/gtest.h>

namespace geotrain
{

/// Returns the times of all iterations.
inline IterationTimes
AnalyticTimes(const LoadedScenario& loaded)
{
    const PlanStreams streams = MakeRunPlan(loaded);
    const auto network = MakeAnalyticNetwork(loaded, streams);
    PlanRunSettings settings;
    settings.turns = streams.Turns();
    settings.passLatency = loaded.cluster.turnLatency;
    settings.layer.chunkSize = loaded.cluster.chunk;
    settings.layer.nodeLocalRate = loaded.training.nodeLocalRate;
    settings.warmUps = streams.pairs;
    PlanRun run(streams.execution, *network, settings);
    run.Prepare();
    const PlanOutcome outcome = run.Run(Instant::Never());
    EXPECT_TRUE(outcome.IsDone()) << outcome.report;
    return run.Times();
}

} // namespace geotrain
