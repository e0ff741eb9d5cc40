// SPDX-License-Identifier: GPL-2.0-only
// Says in the header of a trace what each flow is, when it sends, and what it could get.
#pragma once

#include "loader/experiment.h"
#include "schema/trace.pb.h"

namespace geotrain
{

/// Describes the flows of `experiment`.
void DescribeFlows(const Experiment& experiment, trace::RunHeader& header);

} // namespace geotrain
