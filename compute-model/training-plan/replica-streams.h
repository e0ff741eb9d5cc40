// SPDX-License-Identifier: GPL-2.0-only
// The streams of data parallelism across data centres, where each replica runs at its data centre's
// speed.
#pragma once

#include "schedule/instruction-streams.h"

#include <vector>

namespace geotrain
{

/// Consecutive replicas whose GPUs are alike.
struct ReplicaHost
{
    std::uint32_t replicas = 0;
    std::vector<StageTiming> timing; ///< by stage
};

/// As BuildStreams(), with the times of `hosts`, whose replicas add up to the placement's, in place
/// of inputs.timing.
ExecutionPlan BuildReplicaStreams(StreamInputs inputs, const std::vector<ReplicaHost>& hosts);

} // namespace geotrain
