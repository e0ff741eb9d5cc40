// SPDX-License-Identifier: GPL-2.0-only
// Tallies what the messages of pipelines over the WAN took: completion, its change from iteration
// to iteration, and goodput by node pair.
#pragma once

#include "schema/trace.pb.h"

#include <cstdint>
#include <vector>

namespace geotrain
{

/// WanMessages are the messages of the measured iterations that crossed the WAN.
struct WanMessages
{
    std::vector<double> completionSeconds; ///< time from queued to delivered, per message
    std::vector<double> pairGoodputBps;    ///< mean over the messages of each directed node pair

    /// Difference of completion from that of the same message in the iteration before, per message
    /// that has one in a measured iteration.
    std::vector<double> changeSeconds;
};

/// Tallies those of `messages`, which are in the order of the trace, that belong to `iterations`
/// iterations from `first` on.
WanMessages TallyWanMessages(const std::vector<trace::MessageSpan>& messages,
                             std::uint32_t first,
                             std::uint32_t iterations);

} // namespace geotrain
