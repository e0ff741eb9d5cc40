// SPDX-License-Identifier: GPL-2.0-only
// Names the source of each congestion control, and where ns-3's departs from it.
#pragma once

#include <string>

namespace geotrain
{

/// Returns the paper or RFC of a congestion control of ns-3 or geotrain; for any other TypeId, a
/// text which says that it is a user's own, and of which library.
std::string CongestionControlSource(const std::string& typeId);

/// Returns what a user must know of a congestion control of ns-3 that departs from its source; ""
/// for one that does not.
std::string CongestionControlCaveat(const std::string& typeId);

} // namespace geotrain
