// SPDX-License-Identifier: GPL-2.0-only
// Makes what the header of a trace says of the testbed. Each workload adds what it is.
#pragma once

#include "loader/experiment.h"
#include "runner/run-variant.h"
#include "schema/trace.pb.h"
#include "wan/resources.h"

#include <string>
#include <vector>

namespace geotrain
{

/// Makes the fields that all workloads share. `pairs` are the node pairs between which they send.
trace::RunHeader MakeRunHeader(const Experiment& experiment,
                               const std::vector<NodePair>& pairs,
                               const RunVariant& variant);

/// Returns the worst conditions of any link.
trace::WanConditions ConditionsOf(const Experiment& experiment);

/// Returns the conditions of the path from node to node.
trace::WanConditions
PathConditionsOf(const Experiment& experiment, std::uint32_t source, std::uint32_t destination);

/// Returns a TypeId without its namespace.
std::string ShortNameOf(const std::string& control);

} // namespace geotrain
