// SPDX-License-Identifier: GPL-2.0-only
// Runs the fastest variant of a comparison over packets, where the analytic network can't tell how fast
// it is.
#pragma once

#include "comparison/compare.h"

#include <string>

namespace geotrain
{

/// Returns a sentence with the time over packets of the fastest training of the table; empty where
/// its run on the analytic network met no replicas at a queue. A variant whose run over packets is too
/// large by the coarse estimate is named with the command that runs it. Results are in
/// FOLDER/best-over-packets.
std::string TimeOfBestOverPackets(const ScenarioText& text,
                                  CompareOptions options,
                                  const ComparisonTable& table);

} // namespace geotrain
