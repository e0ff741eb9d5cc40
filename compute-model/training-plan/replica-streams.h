// SPDX-License-Identifier: GPL-2.0-only
// Builds the streams of data parallelism across data centres, where each replica runs at the speed
// of its data centre.
#pragma once

#include "schedule/instruction-streams.h"

#include <vector>

namespace geotrain
{

/// A ReplicaHost is consecutive replicas whose GPUs are alike.
struct ReplicaHost
{
    std::uint32_t replicas = 0;
    std::vector<StageTiming> timing; ///< times by stage
};

/// Builds streams as BuildStreams() does, but with the times of `hosts` in place of inputs.timing.
/// The replicas of `hosts` add up to the placement's.
ExecutionPlan BuildReplicaStreams(StreamInputs inputs, const std::vector<ReplicaHost>& hosts);

} // namespace geotrain
