// SPDX-License-Identifier: GPL-2.0-only
// What a scenario's link does to packets besides sending them.
#pragma once

#include "loader/schema-types.h"
#include "wan/link-impairments.h"

namespace geotrain
{

/// `written`'s fields have passed their rules.
LinkImpairments ImpairmentsOf(const scenario::WanLink& written);

} // namespace geotrain
