// SPDX-License-Identifier: GPL-2.0-only
#include "execution/repetition-watch.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace geotrain
{

RepetitionWatch::RepetitionWatch(double tolerance,
                                 std::uint32_t warmUpIterations,
                                 std::uint32_t measuredIterations)
    : m_tolerance(tolerance),
      m_warmUp(warmUpIterations),
      m_all(warmUpIterations + measuredIterations)
{
}

void
RepetitionWatch::MessageDelivered(const Message& message, const MessageTimes& times)
{
    const Key key{static_cast<std::uint32_t>(InstructionKind::Send),
                  message.sender,
                  message.receiver,
                  2 * message.stage + (message.payload == Payload::Activation ? 0 : 1),
                  message.microbatch};
    Add(message.iteration, key, times.queued, times.delivered);
}

void
RepetitionWatch::CollectiveEnded(WorkerIndex /*worker*/,
                                 std::uint32_t iteration,
                                 const Instruction& instruction,
                                 Instant joined,
                                 Instant ended)
{
    const Key key{static_cast<std::uint32_t>(instruction.kind),
                  instruction.group,
                  instruction.stage,
                  instruction.microbatch};
    Add(iteration, key, joined, ended);
}

/// A collective that ends after its iteration, as that of sharded parameters may, counts in the next.
void
RepetitionWatch::Add(std::uint32_t iteration, const Key& key, Instant begin, Instant end)
{
    Span& span = m_spans[std::max(iteration, m_ended)][key];
    span.begin = std::max(span.begin, begin);
    span.end = std::max(span.end, end);
}

void
RepetitionWatch::IterationEnded(std::uint32_t iteration, Instant end)
{
    const Duration time = end - m_lastEnd;
    Spans& now = m_spans[iteration];
    if (iteration > 0 && iteration >= m_warmUp && m_left == 0 && IsNear(time, m_lastTime) &&
        AreNear(now, m_before))
    {
        m_left = m_all - 1 - iteration;
    }
    m_before = std::move(now);
    m_spans.erase(iteration);
    m_ended = iteration + 1;
    m_lastEnd = end;
    m_lastTime = time;
}

std::uint32_t
RepetitionWatch::IterationsLeft() const
{
    return m_left;
}

bool
RepetitionWatch::IsNear(Duration now, Duration before) const
{
    const auto most = m_tolerance * static_cast<double>(before.ToNanoseconds());
    return std::abs(static_cast<double>((now - before).ToNanoseconds())) <= most;
}

bool
RepetitionWatch::AreNear(const Spans& now, const Spans& before) const
{
    const auto areNear = [this](const auto& a, const auto& b)
    {
        return a.first == b.first &&
               IsNear(a.second.end - a.second.begin, b.second.end - b.second.begin);
    };
    return std::equal(now.begin(), now.end(), before.begin(), before.end(), areNear);
}

} // namespace geotrain
