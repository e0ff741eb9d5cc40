// SPDX-License-Identifier: GPL-2.0-only
// Where each congestion control is written down.
#pragma once

#include <string>

namespace geotrain
{

/// The paper or RFC of a TypeId of ns-3 or ours; of any other TypeId that it is a user's.
std::string CongestionControlSource(const std::string& typeId);

} // namespace geotrain
