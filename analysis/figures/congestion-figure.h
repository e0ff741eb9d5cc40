// SPDX-License-Identifier: GPL-2.0-only
// Congestion window and round-trip time of connections over time, one above the other: from
// samples, which are taken while bytes are outstanding.
#pragma once

#include "figures/stacked-timelines-figure.h"

#include <filesystem>
#include <vector>

namespace geotrain
{

/// Writes `stem`.png and `stem`.pdf; returns the files, none where no connection over the WAN was
/// sampled. Of one run the first connections, of several the first one of each. Throws TraceError.
std::vector<std::filesystem::path> DrawCongestion(const std::vector<NamedTrace>& runs,
                                                  const std::filesystem::path& stem);

} // namespace geotrain
