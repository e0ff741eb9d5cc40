#include "metrics/gpu-time.h"

#include <algorithm>

namespace geotrain
{

namespace
{

/// The part of [startNs, endNs] inside `measured`.
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

/// What the time between `previous` and `next` (null: none) counts as. `hasTurned`: `previous` or a span before it
/// in its iteration belongs to the backward pass.
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

} // namespace

GpuTime
ClassifyGpuTime(const std::vector<trace::GpuSpan>& spans, MeasuredSpan measured)
{
    GpuTime time;
    std::int64_t idleSinceNs = measured.startNs;
    const trace::GpuSpan* previous = nullptr;
    bool hasTurned = false;
    for (const auto& span : spans)
    {
        if (span.start_ns() >= measured.endNs)
        {
            break;
        }
        time.*ReasonOfGap(previous, &span, hasTurned) +=
            Clipped(idleSinceNs, span.start_ns(), measured);
        time.workNs += Clipped(span.start_ns(), span.end_ns(), measured);
        idleSinceNs = std::max(idleSinceNs, span.end_ns());
        const bool sameIteration = previous != nullptr && previous->iteration() == span.iteration();
        hasTurned = (sameIteration && hasTurned) || IsBackward(span);
        previous = &span;
    }
    time.*ReasonOfGap(previous, nullptr, hasTurned) +=
        Clipped(idleSinceNs, measured.endNs, measured);
    return time;
}

} // namespace geotrain
