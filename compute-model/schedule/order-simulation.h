// SPDX-License-Identifier: GPL-2.0-only
// Computes when each operation of an order starts and ends, by its data dependencies alone. A
// worker runs its order and pauses only for inputs that are not there. A message occupies the way
// between its two stages, one at a time per direction, and arrives after the delay. This is the
// cost model of the schedules that search; what a schedule really takes comes from the Executor.
#pragma once

#include "schedule/schedule-order.h"

#include <vector>

namespace geotrain
{

/// An OrderTimeline says when each operation of an order runs.
struct OrderTimeline
{
    /// A Span is when one operation runs.
    struct Span
    {
        Duration start; ///< time since the iteration's start
        Duration end;
    };

    std::vector<std::vector<Span>> spans; ///< by worker, through the pipelines, and position

    /// Returns the largest over the workers of the time from its first operation's start to its
    /// last one's end. By this cost the zero-bubble paper rates a schedule (Qi et al., ICLR'24,
    /// section 2.3).
    Duration LongestSpan() const;
    /// Returns the time from the first start to the last end.
    Duration Makespan() const;
    /// Returns the first worker that has the LongestSpan().
    std::uint32_t LongestWorker() const;
};

/// Times an order. Throws std::invalid_argument that names the dependency where the order is not
/// legal: an operation that comes twice, is missing or comes before what it needs, or workers that
/// wait for each other for ever.
OrderTimeline
SimulateOrder(const ScheduleOrder& order, std::uint32_t microbatches, const ScheduleTimes& times);

/// Times an order of a request, for all pipelines of the DP-cell where these take turns: a message
/// that is ready earlier has the way earlier, ties by pipeline. The spans of pipeline r then follow
/// those of the pipelines before it.
OrderTimeline SimulateOrder(const ScheduleOrder& order, const ScheduleRequest& request);

/// Returns the bubble rate: (cost - m (T_F + T_B + T_W)) / cost, where `cost` is the longest span
/// and `work` what the busiest worker computes (zero-bubble paper, section 2.3).
double BubbleRate(Duration cost, Duration work);

} // namespace geotrain
