// SPDX-License-Identifier: GPL-2.0-only
// Resolves what a link does to packets besides sending them: AQM, policing, loss, jitter and
// outages.
#pragma once

#include "loader/schema-types.h"
#include "wan/link-impairments.h"

namespace geotrain
{

/// `written`'s fields have passed their rules.
LinkImpairments ImpairmentsOf(const scenario::WanLink& written);

} // namespace geotrain
