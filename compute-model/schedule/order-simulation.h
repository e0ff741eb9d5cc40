// When each operation of an order starts and ends, by its data dependencies alone: a worker runs its order
// without a pause but for inputs that are not there; a message occupies the way between its two stages, one at a time
// in each direction, and arrives after the delay. The cost model of the schedules that search; what a schedule really
// takes comes from the Executor.
#pragma once

#include "schedule/schedule-order.h"

#include <string>
#include <vector>

namespace geotrain
{

struct OrderTimeline
{
    struct Span
    {
        Duration start; ///< since the iteration's start
        Duration end;
    };

    std::vector<std::vector<Span>> spans; ///< by worker and position in its order

    /// The largest over the workers of the time from its first operation's start to its last one's end: the
    /// cost by which the zero-bubble paper rates a schedule (Qi et al., ICLR'24, section 2.3).
    Duration LongestSpan() const;
    /// From the first start to the last end.
    Duration Makespan() const;
    /// The worker that LongestSpan() is of, the first of them.
    std::uint32_t LongestWorker() const;
};

/// Throws std::invalid_argument that names the dependency where the order is not legal: an operation that comes
/// twice, is missing, comes before what it needs, or workers that wait for each other for ever.
OrderTimeline
SimulateOrder(const ScheduleOrder& order, std::uint32_t microbatches, const ScheduleTimes& times);

/// The bubble rate: (cost - m (T_F + T_B + T_W)) / cost, where `cost` is the longest span and `work` what
/// the busiest worker computes (zero-bubble paper, section 2.3).
double BubbleRate(Duration cost, Duration work);

/// "the forward of microbatch 2 in stage 1".
std::string NameOf(const Operation& operation, std::uint32_t stage);

} // namespace geotrain
