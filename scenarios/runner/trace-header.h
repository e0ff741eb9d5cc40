// SPDX-License-Identifier: GPL-2.0-only
// Makes the header of a trace: what it says of the testbed, to which each workload adds what it is.
#pragma once

#include "loader/experiment.h"
#include "runner/run-variant.h"
#include "runner/workload.h"
#include "schema/trace.pb.h"

#include <string>

namespace geotrain
{

/// Makes the header, in which workloads with names have one each.
trace::RunHeader
MakeRunHeader(const Experiment& experiment, const Workloads& workloads, const RunVariant& variant);

/// Adds what a capacity is from a time on, unless it was so before.
void AddCapacityStep(Duration at,
                     double bitsPerSecond,
                     google::protobuf::RepeatedPtrField<trace::CapacityStep>& steps);

/// Returns the worst conditions of any link.
trace::WanConditions ConditionsOf(const Experiment& experiment);

/// Returns the conditions of the path from node to node.
trace::WanConditions
PathConditionsOf(const Experiment& experiment, std::uint32_t source, std::uint32_t destination);

/// Returns a TypeId without its namespace.
std::string ShortNameOf(const std::string& control);

} // namespace geotrain
