// SPDX-License-Identifier: GPL-2.0-only
// Splits a worker's GPU time into work, filling, and idle time by cause. What happened at an instant
// of a gap, on the way back from the gap's end along its causes (CausalHistory), is the cause of
// that instant: a part of a message over the WAN, a message inside a data centre, a collective of
// the worker, or what another worker did. The last of these counts by the part of the schedule that
// the gap lies in.
#pragma once

#include "metrics/causal-history.h"
#include "metrics/fill-tally.h"

#include <cstdint>
#include <vector>

namespace geotrain
{

/// A MeasuredSpan goes from the end of the last warm-up iteration's last optimiser step (0 without
/// warm-up) to the end of the last measured iteration's last optimiser step.
struct MeasuredSpan
{
    std::int64_t startNs = 0;
    std::int64_t endNs = 0;

    double Seconds() const
    {
        return static_cast<double>(endNs - startNs) / 1e9;
    }
};

/// GpuTime splits the nanoseconds of one worker inside a measured span; the parts add up to exactly
/// its length.
struct GpuTime
{
    std::int64_t workNs = 0; ///< every kind of GpuSpan
    /// Useful work of fillers; what they lose of their time counts as idle.
    std::int64_t fillNs = 0;
    // Waits for others' compute and updates, by the part of the worker's schedule in which the gap lies. What
    // nothing in the trace explains, such as a filler that held training back, counts so too.

    /// Before a forward ahead of the iteration's first backward (fill), and after its last forward
    /// and first backward (drain).
    std::int64_t idleFillDrainNs = 0;
    /// Before an iteration's first backward, or a recomputation ahead of it.
    std::int64_t idleForwardBackwardNs = 0;
    std::int64_t idleImbalanceNs = 0; ///< between the first backward and the last forward

    std::int64_t idleLocalNs = 0;     ///< messages inside a data centre
    std::int64_t idleAllReduceNs = 0; ///< the worker's collectives, once all members have joined
    std::int64_t idleWanPropagationNs = 0;
    std::int64_t idleWanSerialisationNs = 0;
    std::int64_t idleWanWindowNs = 0;
    std::int64_t idleWanCongestionNs = 0;
    std::int64_t idleWanTurnNs = 0;

    std::int64_t IdleWanNs() const
    {
        return idleWanPropagationNs + idleWanSerialisationNs + idleWanWindowNs +
               idleWanCongestionNs + idleWanTurnNs;
    }
};

/// A GpuTimeSplit splits the time of one worker after another.
class GpuTimeSplit
{
  public:
    /// `withoutFlush`: iterations overlap, and the whole run fills and drains once. `history` must
    /// outlive this.
    GpuTimeSplit(const CausalHistory& history, MeasuredSpan measured, bool withoutFlush);

    /// Splits the time of a worker. Spans across the border of the measured span are clipped. A gap
    /// that reaches its end was ended by the worker's next work, or, where it has none, by what
    /// ended the measured span. `fills` are the worker's fill spans in order of time, and overlap
    /// none of its work; one across the border counts in proportion.
    GpuTime Of(std::uint32_t worker, const std::vector<FillTime>& fills) const;

  private:
    const CausalHistory& m_history;
    MeasuredSpan m_measured;
    CausalPosition m_end; ///< of the measured span
    bool m_withoutFlush;
};

} // namespace geotrain
