// SPDX-License-Identifier: GPL-2.0-only
#include "metrics/gpu-time.h"

#include <algorithm>
#include <cmath>

namespace geotrain
{

namespace
{

/// Returns the part of [startNs, endNs] inside `measured`.
std::int64_t
Clipped(std::int64_t startNs, std::int64_t endNs, MeasuredSpan measured)
{
    const std::int64_t from = std::max(startNs, measured.startNs);
    const std::int64_t to = std::min(endNs, measured.endNs);
    return std::max<std::int64_t>(to - from, 0);
}

bool
IsBackward(const trace::GpuSpan& span)
{
    return span.kind() == trace::GPU_WORK_RECOMPUTE || span.kind() == trace::GPU_WORK_BACKWARD;
}

/// Returns what the time between `previous` and `next` (null: none) counts as. `hasTurned` says
/// that `previous` or a span before it in its iteration belongs to the backward pass.
std::int64_t GpuTime::*
ReasonOfGap(const trace::GpuSpan* previous, const trace::GpuSpan* next, bool hasTurned)
{
    if (next == nullptr)
    {
        return &GpuTime::idleFillDrainNs;
    }
    if (next->kind() == trace::GPU_WORK_OPTIMIZER_STEP)
    {
        return &GpuTime::idleAllReduceNs;
    }
    const bool isFirst = previous == nullptr || previous->iteration() != next->iteration();
    if (next->kind() == trace::GPU_WORK_FORWARD && isFirst)
    {
        return &GpuTime::idleFillDrainNs;
    }
    if (IsBackward(*next) && !isFirst && !hasTurned)
    {
        return &GpuTime::idleForwardBackwardNs;
    }
    return &GpuTime::idleWanNs;
}

/// FillReader adds up a worker's fills in order of time.
class FillReader
{
  public:
    FillReader(const std::vector<FillTime>& fills, MeasuredSpan measured)
        : m_fills(fills),
          m_measured(measured)
    {
    }

    /// Returns the useful nanoseconds, inside the measured span, of the fills that start before
    /// `ns`.
    std::int64_t Until(std::int64_t ns)
    {
        double useful = 0;
        for (; m_next < m_fills.size() && m_fills[m_next].startNs < ns; ++m_next)
        {
            const FillTime& fill = m_fills[m_next];
            const std::int64_t inside = Clipped(fill.startNs, fill.endNs, m_measured);
            const std::int64_t length = fill.endNs - fill.startNs;
            const double inSpan =
                length == 0 ? 1 : static_cast<double>(inside) / static_cast<double>(length);
            useful += fill.share * inSpan * static_cast<double>(fill.usefulNs);
        }
        return std::llround(useful);
    }

  private:
    const std::vector<FillTime>& m_fills;
    MeasuredSpan m_measured;
    std::size_t m_next = 0;
};

} // namespace

GpuTime
ClassifyGpuTime(const std::vector<trace::GpuSpan>& spans,
                const std::vector<FillTime>& fills,
                MeasuredSpan measured)
{
    GpuTime time;
    FillReader reader(fills, measured);
    std::int64_t idleSinceNs = measured.startNs;
    const trace::GpuSpan* previous = nullptr;
    bool hasTurned = false;
    const auto takeGap = [&](const trace::GpuSpan* next, std::int64_t untilNs)
    {
        const std::int64_t filled = reader.Until(untilNs);
        time.fillNs += filled;
        time.*ReasonOfGap(previous, next, hasTurned) +=
            Clipped(idleSinceNs, untilNs, measured) - filled;
    };
    for (const auto& span : spans)
    {
        if (span.start_ns() >= measured.endNs)
        {
            break;
        }
        takeGap(&span, span.start_ns());
        time.workNs += Clipped(span.start_ns(), span.end_ns(), measured);
        idleSinceNs = std::max(idleSinceNs, span.end_ns());
        const bool sameIteration = previous != nullptr && previous->iteration() == span.iteration();
        hasTurned = (sameIteration && hasTurned) || IsBackward(span);
        previous = &span;
    }
    takeGap(nullptr, measured.endNs);
    return time;
}

} // namespace geotrain
