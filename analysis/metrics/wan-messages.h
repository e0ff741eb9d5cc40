// SPDX-License-Identifier: GPL-2.0-only
// Tallies pipeline messages over the WAN: completion times, their change from iteration to
// iteration, and goodput per node pair.
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
    std::vector<double> pairGoodputBps;    ///< mean goodput per directed node pair

    /// Difference between a message's completion time and that of the same message one iteration
    /// earlier, per message for which both iterations are measured.
    std::vector<double> changeSeconds;
};

/// Tallies the messages of `iterations` iterations from iteration `first` on. `messages` must be in
/// the order of the trace.
WanMessages TallyWanMessages(const std::vector<trace::MessageSpan>& messages,
                             std::uint32_t first,
                             std::uint32_t iterations);

} // namespace geotrain
