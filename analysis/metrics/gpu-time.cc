// SPDX-License-Identifier: GPL-2.0-only
#include "metrics/gpu-time.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace geotrain
{

namespace
{

using IdlePart = std::int64_t GpuTime::*;

/// Returns the part of [startNs, endNs] inside `measured`.
std::int64_t
Clipped(std::int64_t startNs, std::int64_t endNs, MeasuredSpan measured)
{
    const std::int64_t from = std::max(startNs, measured.startNs);
    const std::int64_t to = std::min(endNs, measured.endNs);
    return std::max<std::int64_t>(to - from, 0);
}

/// SchedulePhases tell where a worker's gaps lie in its schedule.
class SchedulePhases
{
  public:
    SchedulePhases(const std::vector<trace::GpuSpan>& spans, bool withoutFlush)
        : m_withoutFlush(withoutFlush)
    {
        for (const auto& span : spans)
        {
            Turn& turn = m_turns[IterationOf(span)];
            if (span.kind() == trace::GPU_WORK_BACKWARD)
            {
                turn.firstBackwardNs = std::min(turn.firstBackwardNs, span.start_ns());
            }
            else if (span.kind() == trace::GPU_WORK_FORWARD)
            {
                turn.lastForwardNs = std::max(turn.lastForwardNs, span.start_ns());
            }
        }
    }

    /// Returns what a wait for another worker's compute before `next` (null: none) counts as.
    IdlePart WaitBefore(const trace::GpuSpan* next) const
    {
        if (next == nullptr || next->kind() == trace::GPU_WORK_OPTIMIZER_STEP)
        {
            return &GpuTime::idleFillDrainNs;
        }
        const Turn& turn = m_turns.at(IterationOf(*next));
        if (next->start_ns() <= turn.firstBackwardNs)
        {
            return next->kind() == trace::GPU_WORK_FORWARD ? &GpuTime::idleFillDrainNs
                                                           : &GpuTime::idleForwardBackwardNs;
        }
        return next->start_ns() <= turn.lastForwardNs ? &GpuTime::idleImbalanceNs
                                                      : &GpuTime::idleFillDrainNs;
    }

  private:
    /// A Turn is where an iteration goes over to backwards.
    struct Turn
    {
        std::int64_t firstBackwardNs = std::numeric_limits<std::int64_t>::max();
        std::int64_t lastForwardNs = std::numeric_limits<std::int64_t>::min();
    };

    std::uint32_t IterationOf(const trace::GpuSpan& span) const
    {
        return m_withoutFlush ? 0 : span.iteration();
    }

    bool m_withoutFlush;
    std::map<std::uint32_t, Turn> m_turns;
};

/// FillReader adds up a worker's useful fill time as time goes on.
class FillReader
{
  public:
    FillReader(const std::vector<FillTime>& fills, MeasuredSpan measured)
        : m_fills(fills),
          m_measured(measured)
    {
    }

    /// Returns the useful nanoseconds from `startNs`, which must not fall from call to call, to
    /// `endNs`, inside the measured span. Useful time is spread evenly over a fill.
    std::int64_t Between(std::int64_t startNs, std::int64_t endNs)
    {
        const MeasuredSpan part{std::max(startNs, m_measured.startNs),
                                std::min(endNs, m_measured.endNs)};
        while (m_next < m_fills.size() && m_fills[m_next].endNs <= startNs)
        {
            ++m_next;
        }
        double useful = 0;
        for (std::size_t i = m_next; i < m_fills.size() && m_fills[i].startNs < endNs; ++i)
        {
            const FillTime& fill = m_fills[i];
            const std::int64_t inside = Clipped(fill.startNs, fill.endNs, part);
            useful += inside == 0 ? 0
                                  : fill.share * static_cast<double>(fill.usefulNs) *
                                        static_cast<double>(inside) /
                                        static_cast<double>(fill.endNs - fill.startNs);
        }
        m_useful += useful;
        const std::int64_t before = m_given;
        const std::int64_t room = std::max<std::int64_t>(part.endNs - part.startNs, 0);
        m_given = std::clamp<std::int64_t>(std::llround(m_useful), before, before + room);
        return m_given - before;
    }

  private:
    const std::vector<FillTime>& m_fills;
    MeasuredSpan m_measured;
    std::size_t m_next = 0;
    double m_useful = 0;
    std::int64_t m_given = 0; ///< m_useful in whole ns
};

/// Returns what a step of a gap counts as. `phase` is for what others do, `collective` for
/// collectives.
IdlePart
PartOf(CauseKind kind, IdlePart phase, IdlePart collective)
{
    switch (kind)
    {
    case CauseKind::WanTurn:
        return &GpuTime::idleWanTurnNs;
    case CauseKind::WanSerialisation:
        return &GpuTime::idleWanSerialisationNs;
    case CauseKind::WanWindow:
        return &GpuTime::idleWanWindowNs;
    case CauseKind::WanCongestion:
        return &GpuTime::idleWanCongestionNs;
    case CauseKind::WanPropagation:
        return &GpuTime::idleWanPropagationNs;
    case CauseKind::Local:
        return &GpuTime::idleLocalNs;
    case CauseKind::Collective:
        return collective;
    default:
        return phase;
    }
}

} // namespace

GpuTimeSplit::GpuTimeSplit(const CausalHistory& history, MeasuredSpan measured, bool withoutFlush)
    : m_history(history),
      m_measured(measured),
      m_end(history.LatestUntil(measured.endNs)),
      m_withoutFlush(withoutFlush)
{
}

GpuTime
GpuTimeSplit::Of(std::uint32_t worker, const std::vector<FillTime>& fills) const
{
    GpuTime time;
    const auto& spans = m_history.SpansOf(worker);
    const SchedulePhases phases(spans, m_withoutFlush);
    FillReader reader(fills, m_measured);
    std::int64_t idleSinceNs = m_measured.startNs;
    const auto takeGap = [&](CausalPosition from, const trace::GpuSpan* next)
    {
        if (from.atNs <= idleSinceNs)
        {
            return;
        }
        const IdlePart phase = phases.WaitBefore(next);
        const bool isUpdate = next != nullptr && next->kind() == trace::GPU_WORK_OPTIMIZER_STEP;
        const auto steps = m_history.Before(from, idleSinceNs);
        // Elsewhere a collective ends a gap only where it brings a layer's parameters.
        const bool isFetch = !steps.empty() && steps.back().kind == CauseKind::Collective;
        const IdlePart collective = isUpdate || isFetch ? &GpuTime::idleAllReduceNs : phase;
        for (const auto& step : steps)
        {
            const std::int64_t filled = reader.Between(step.startNs, step.endNs);
            time.fillNs += filled;
            // An update waits for nothing but collectives.
            const IdlePart own = step.kind == CauseKind::Other ? collective : phase;
            time.*PartOf(step.kind, own, collective) +=
                Clipped(step.startNs, step.endNs, m_measured) - filled;
        }
    };
    std::uint32_t next = 0;
    for (; next < spans.size() && spans[next].start_ns() < m_measured.endNs; ++next)
    {
        const auto& span = spans[next];
        takeGap({worker, next, span.start_ns()}, &span);
        time.workNs += Clipped(span.start_ns(), span.end_ns(), m_measured);
        idleSinceNs = std::max(idleSinceNs, span.end_ns());
    }
    if (idleSinceNs < m_measured.endNs && next < spans.size())
    {
        takeGap({worker, next, spans[next].start_ns()}, &spans[next]);
    }
    else if (idleSinceNs < m_measured.endNs)
    {
        takeGap(m_end, nullptr);
    }
    return time;
}

} // namespace geotrain
