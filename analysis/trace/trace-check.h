// SPDX-License-Identifier: GPL-2.0-only
// Checks the rules of trace.proto that Protobuf does not enforce: references must exist, times must
// be in order, enum values known and numbers finite. TraceReader checks every record, so that its
// users need not.
#pragma once

#include "schema/trace.pb.h"

#include <string>

namespace geotrain
{

/// Returns the rule that `header` breaks; empty when it is sound.
std::string BrokenRule(const trace::RunHeader& header);

/// Returns the rule that `record` of a run with `header` breaks; empty when it is sound.
std::string BrokenRule(const trace::RunHeader& header, const trace::Record& record);

} // namespace geotrain
