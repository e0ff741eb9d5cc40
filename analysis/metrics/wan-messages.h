// SPDX-License-Identifier: GPL-2.0-only
// What the messages of pipelines over the WAN took: completion, its change from iteration to
// iteration, and goodput by node pair.
#pragma once

#include "schema/trace.pb.h"

#include <cstdint>
#include <vector>

namespace geotrain
{

/// Messages of the measured iterations that crossed the WAN.
struct WanMessages
{
    std::vector<double> completionSeconds; ///< from queued to delivered, one per message
    std::vector<double> pairGoodputBps;    ///< mean over the messages of each directed node pair

    /// By how much completion differs from that of the same message in the iteration before, one
    /// per message that has one in a measured iteration.
    std::vector<double> changeSeconds;
};

/// Of `messages`, which are in the order of the trace, those of `iterations` iterations from
/// `first` on.
WanMessages TallyWanMessages(const std::vector<trace::MessageSpan>& messages,
                             std::uint32_t first,
                             std::uint32_t iterations);

} // namespace geotrain
