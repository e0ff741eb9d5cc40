// SPDX-License-Identifier: GPL-2.0-only
// Classifies a worker's GPU time as work, filling, or idle time for one of four reasons. The spans
// before and after a gap tell its reason.
#pragma once

#include "metrics/fill-tally.h"
#include "schema/trace.pb.h"

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
    /// Gaps that end with an iteration's first forward, or with the span.
    std::int64_t idleFillDrainNs = 0;
    /// Gaps before an iteration's first recomputation or backward.
    std::int64_t idleForwardBackwardNs = 0;
    std::int64_t idleAllReduceNs = 0; ///< gaps that end with an optimiser step
    std::int64_t idleWanNs = 0;       ///< every other wait for a message
};

/// Classifies the time of one worker. `spans` are all of its spans, in order of time and without
/// overlap; spans across the border of `measured` are clipped, and tell the reason of the gaps at
/// the border. `fills` are the fill spans of the same worker and overlap no span; one across the
/// border counts in proportion.
GpuTime ClassifyGpuTime(const std::vector<trace::GpuSpan>& spans,
                        const std::vector<FillTime>& fills,
                        MeasuredSpan measured);

} // namespace geotrain
