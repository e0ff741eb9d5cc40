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

/// What the time between `previous` and `next` (null: none) counts as.
std::int64_t GpuTime::*
ReasonOfGap(const trace::GpuSpan* previous, const trace::GpuSpan* next)
{
    if (next == nullptr)
    {
        return &GpuTime::idleFillDrainNs;
    }
    switch (next->kind())
    {
    case trace::GPU_WORK_OPTIMIZER_STEP:
        return &GpuTime::idleAllReduceNs;
    case trace::GPU_WORK_FORWARD:
        return previous == nullptr || previous->iteration() != next->iteration()
                   ? &GpuTime::idleFillDrainNs
                   : &GpuTime::idleWanNs;
    case trace::GPU_WORK_RECOMPUTE:
    case trace::GPU_WORK_BACKWARD:
        return previous != nullptr && previous->kind() == trace::GPU_WORK_FORWARD
                   ? &GpuTime::idleForwardBackwardNs
                   : &GpuTime::idleWanNs;
    default:
        return &GpuTime::idleWanNs;
    }
}

} // namespace

GpuTime
ClassifyGpuTime(const std::vector<trace::GpuSpan>& spans, MeasuredSpan measured)
{
    GpuTime time;
    std::int64_t idleSinceNs = measured.startNs;
    const trace::GpuSpan* previous = nullptr;
    for (const auto& span : spans)
    {
        if (span.start_ns() >= measured.endNs)
        {
            break;
        }
        time.*ReasonOfGap(previous, &span) += Clipped(idleSinceNs, span.start_ns(), measured);
        time.workNs += Clipped(span.start_ns(), span.end_ns(), measured);
        idleSinceNs = std::max(idleSinceNs, span.end_ns());
        previous = &span;
    }
    time.*ReasonOfGap(previous, nullptr) += Clipped(idleSinceNs, measured.endNs, measured);
    return time;
}

} // namespace geotrain
