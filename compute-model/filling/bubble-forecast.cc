// SPDX-License-Identifier: GPL-2.0-only
#include "filling/bubble-forecast.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace geotrain
{

namespace
{

Duration
Distance(Duration a, Duration b)
{
    return a < b ? b - a : a - b;
}

/// Returns where the gap before position `index` begins.
Duration
GapStart(const IterationPattern& pattern, std::size_t index)
{
    return index == 0 ? Duration() : pattern[index - 1].end;
}

std::uint32_t
LiveAfter(std::uint32_t live, InstructionKind kind)
{
    if (kind == InstructionKind::Forward)
    {
        return live + 1;
    }
    return kind == InstructionKind::Backward && live > 0 ? live - 1 : live;
}

constexpr std::size_t recentErrors = 16; // iterations whose errors count

} // namespace

const std::vector<IterationPattern>*
Rehearsal::Of(std::size_t iteration) const
{
    if (iteration >= iterations.size())
    {
        if (period == 0)
        {
            return nullptr;
        }
        const std::size_t first = iterations.size() - period;
        iteration = first + (iteration - first) % period;
    }
    return &iterations[iteration];
}

void
RecentErrors::Add(Duration error)
{
    if (m_errors.size() < recentErrors)
    {
        m_errors.push_back(error);
        return;
    }
    m_errors[m_next] = error;
    m_next = (m_next + 1) % recentErrors;
}

Duration
RecentErrors::Bound() const
{
    std::vector<Duration> sorted = m_errors;
    std::sort(sorted.begin(), sorted.end());
    return sorted.empty() ? Duration()
                          : std::max(Duration(), sorted[(sorted.size() * 9 + 9) / 10 - 1]);
}

BubbleForecast::BubbleForecast(std::vector<WorkerMemory> memory,
                               Rehearsal rehearsal,
                               Duration tolerance)
    : m_memory(std::move(memory)),
      m_rehearsal(std::move(rehearsal)),
      m_tolerance(tolerance),
      m_states(m_memory.size())
{
    for (const auto& iteration : m_rehearsal.iterations)
    {
        if (iteration.size() != m_memory.size())
        {
            throw std::invalid_argument("a rehearsal must have the workers of the run");
        }
    }
    for (WorkerIndex worker = 0; worker < Workers(); ++worker)
    {
        Expect(worker);
    }
}

bool
BubbleForecast::Started(WorkerIndex worker, Instant start)
{
    State& state = m_states.at(worker);
    const std::size_t index = state.started++;
    state.shifts.push_back(state.shift);
    const Duration at = start - state.began;
    if (index >= state.expected.size() || !(at > GapStart(state.measured, index)))
    {
        return false;
    }
    const Duration shift = at - state.expected[index].start;
    if (!(Distance(shift, state.shift) > m_tolerance))
    {
        return false;
    }
    state.shift = shift;
    return true;
}

bool
BubbleForecast::Ended(WorkerIndex worker,
                      const Instruction& instruction,
                      Instant start,
                      Instant end)
{
    State& state = m_states.at(worker);
    state.measured.push_back({instruction.kind, start - state.began, end - state.began});
    if (instruction.kind != InstructionKind::OptimizerStep)
    {
        return false;
    }
    Compare(worker);
    state.began = end;
    ++state.iteration;
    Expect(worker);
    return true;
}

/// Scores what was expected of the iteration that has ended.
void
BubbleForecast::Compare(WorkerIndex worker)
{
    State& state = m_states[worker];
    const std::size_t common = std::min(state.expected.size(), state.measured.size());
    state.earlyEnds.resize(state.measured.size());
    state.lateStarts.resize(state.measured.size());
    for (std::size_t index = 0; index < state.measured.size(); ++index)
    {
        const Duration end = state.measured[index].start;
        const Duration start = GapStart(state.measured, index);
        const bool isFound = end > start;
        if (index >= common)
        {
            m_sinceTaken.bubbles += isFound ? 1 : 0;
            m_sinceTaken.misses += isFound ? 1 : 0;
            continue;
        }
        const Duration expectedEnd = state.expected[index].start;
        const Duration expectedStart = GapStart(state.expected, index);
        if (!isFound && !(expectedEnd > expectedStart))
        {
            continue;
        }
        const Duration error = Distance(end, expectedEnd);
        const bool isMissed = error > m_tolerance || Distance(start, expectedStart) > m_tolerance;
        ++m_sinceTaken.bubbles;
        m_sinceTaken.misses += isMissed ? 1 : 0;
        m_sinceTaken.absoluteError += error;
        m_sinceTaken.largestError = std::max(m_sinceTaken.largestError, error);
        KeepErrors(state, index);
    }
}

/// Keeps for a position the error of the last forecast before the bubble that
/// ended with the computation `index`.
void
BubbleForecast::KeepErrors(State& state, std::size_t index)
{
    const Duration shift = index < state.shifts.size() ? state.shifts[index] : Duration();
    const Duration end = state.measured[index].start;
    const Duration expectedEnd = state.expected[index].start + shift;
    const Duration expectedStart = GapStart(state.expected, index) + shift;
    const Duration bound = expectedEnd - state.earlyEnds[index].Bound();
    m_sinceTaken.early += end < std::max(bound, expectedStart) ? 1 : 0;
    if (state.iteration == 0)
    {
        return; // the error of a rehearsal alone says nothing of measured iterations
    }
    state.earlyEnds[index].Add(expectedEnd - end);
    state.lateStarts[index].Add(GapStart(state.measured, index) - expectedStart);
}

void
BubbleForecast::Expect(WorkerIndex worker)
{
    State& state = m_states[worker];
    state.started = 0;
    state.shift = Duration();
    state.shifts.clear();
    if (state.iteration == 0)
    {
        const auto* rehearsed = m_rehearsal.Of(0);
        state.expected = rehearsed == nullptr ? IterationPattern() : (*rehearsed)[worker];
        return;
    }
    state.expected = After(worker, state.iteration, std::move(state.measured));
    state.measured.clear();
}

/// Returns what is expected of `iteration` when the one before it went as `pattern` says.
IterationPattern
BubbleForecast::After(WorkerIndex worker, std::size_t iteration, IterationPattern pattern) const
{
    const auto* rehearsed = m_rehearsal.Of(iteration);
    if (rehearsed == nullptr)
    {
        return pattern;
    }
    const IterationPattern& now = (*rehearsed)[worker];
    const IterationPattern& before = (*m_rehearsal.Of(iteration - 1))[worker];
    if (now.size() != pattern.size() || before.size() != now.size())
    {
        return now; // a stream without flush begins otherwise than it goes on
    }
    Duration previous;
    for (std::size_t index = 0; index < now.size(); ++index)
    {
        BusySpan& span = pattern[index];
        const Duration length = span.end - span.start;
        span.start = std::max(previous, span.start + (now[index].start - before[index].start));
        span.end = span.start + length;
        previous = span.end;
    }
    return pattern;
}

std::vector<Bubble>
BubbleForecast::Next(WorkerIndex worker) const
{
    const State& state = m_states.at(worker);
    std::vector<Bubble> bubbles;
    if (state.expected.empty())
    {
        return bubbles;
    }
    Append(worker, state.expected, state.began + state.shift, 0, bubbles);
    Append(worker,
           After(worker, state.iteration + 1, state.expected),
           state.began + state.expected.back().end + state.shift,
           1,
           bubbles);
    return bubbles;
}

void
BubbleForecast::Append(WorkerIndex worker,
                       const IterationPattern& pattern,
                       Instant began,
                       std::uint32_t ahead,
                       std::vector<Bubble>& bubbles) const
{
    const State& state = m_states[worker];
    const WorkerMemory& memory = m_memory[worker];
    std::uint32_t live = 0;
    for (std::size_t index = 0; index < pattern.size(); ++index)
    {
        const BusySpan& next = pattern[index];
        const Duration from = GapStart(pattern, index);
        const bool isToCome = ahead > 0 || index >= state.started;
        if (isToCome && next.start > from)
        {
            Bubble bubble;
            bubble.worker = worker;
            bubble.iterationsAhead = ahead;
            bubble.endsWith = static_cast<std::uint32_t>(index);
            bubble.start = began + from;
            bubble.end = began + next.start;
            const bool known = index < state.earlyEnds.size();
            const Duration early = known ? state.earlyEnds[index].Bound() : Duration();
            const Duration late = known ? state.lateStarts[index].Bound() : Duration();
            bubble.latestStart = bubble.start + late;
            bubble.earliestEnd = std::max(bubble.start, bubble.end - early);
            const Bytes used = memory.state + memory.perActivation * live;
            bubble.freeMemory = used < memory.capacity ? memory.capacity - used : Bytes();
            bubbles.push_back(bubble);
        }
        live = LiveAfter(live, next.kind);
    }
}

std::uint32_t
BubbleForecast::Workers() const
{
    return static_cast<std::uint32_t>(m_states.size());
}

std::uint32_t
BubbleForecast::IterationOf(WorkerIndex worker) const
{
    return m_states.at(worker).iteration;
}

Instant
BubbleForecast::BeganOf(WorkerIndex worker) const
{
    return m_states.at(worker).began;
}

Duration
BubbleForecast::LengthOf(WorkerIndex worker) const
{
    const IterationPattern& expected = m_states.at(worker).expected;
    return expected.empty() ? Duration() : expected.back().end;
}

std::uint32_t
BubbleForecast::PositionOf(WorkerIndex worker) const
{
    return static_cast<std::uint32_t>(m_states.at(worker).measured.size());
}

const WorkerMemory&
BubbleForecast::MemoryOf(WorkerIndex worker) const
{
    return m_memory.at(worker);
}

ForecastScore
BubbleForecast::TakeScore()
{
    return std::exchange(m_sinceTaken, ForecastScore());
}

} // namespace geotrain
