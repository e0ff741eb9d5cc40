// SPDX-License-Identifier: GPL-2.0-only
// Resolves what a link does to packets besides sending them: AQM, policing, loss, jitter and
// outages.
#pragma once

#include "schema/scenario.pb.h"
#include "wan/wan-topology.h"

namespace geotrain
{

/// Sets in `link` all fields of `written` from `red` on. The fields must have passed their rules.
void SetImpairments(const scenario::WanLink& written, WanTopology::Link& link);

} // namespace geotrain
