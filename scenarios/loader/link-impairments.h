// SPDX-License-Identifier: GPL-2.0-only
// What a scenario's link does to packets besides sending them.
#pragma once

#include "schema/scenario.pb.h"
#include "wan/wan-topology.h"

namespace geotrain
{

/// All of `written` from `red` on; its fields have passed their rules.
void SetImpairments(const scenario::WanLink& written, WanTopology::Link& link);

} // namespace geotrain
