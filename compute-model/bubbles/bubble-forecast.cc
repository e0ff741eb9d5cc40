#include "bubbles/bubble-forecast.h"

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

bool
IsBackward(InstructionKind kind)
{
    return kind == InstructionKind::Recompute || kind == InstructionKind::Backward;
}

/// Of the gap before `next`, as the idle metrics name it.
BubbleKind
KindOf(InstructionKind next, bool isFirst, bool hasTurned)
{
    if (next == InstructionKind::OptimizerStep)
    {
        return BubbleKind::AllReduce;
    }
    if (next == InstructionKind::Forward && isFirst)
    {
        return BubbleKind::FillDrain;
    }
    return IsBackward(next) && !isFirst && !hasTurned ? BubbleKind::ForwardBackward
                                                      : BubbleKind::WanWait;
}

/// Where the gap before position `index` begins.
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

void
Keep(std::vector<Duration>& margins, std::size_t index, Duration error)
{
    margins[index] = std::max(error, Duration::Nanoseconds(margins[index].ToNanoseconds() / 2));
}

} // namespace

BubbleForecast::BubbleForecast(std::vector<WorkerMemory> memory,
                               std::uint32_t iterations,
                               Rehearsal rehearsal,
                               Duration tolerance)
    : m_memory(std::move(memory)),
      m_iterations(iterations),
      m_rehearsal(std::move(rehearsal)),
      m_tolerance(tolerance),
      m_states(m_memory.size())
{
    for (const auto& iteration : m_rehearsal)
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
    state.earlyMargin.resize(state.measured.size());
    state.lateMargin.resize(state.measured.size());
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
        const Duration bound = expectedEnd - state.earlyMargin[index];
        m_sinceTaken.early += end < std::max(bound, expectedStart) ? 1 : 0;
        ++m_sinceTaken.bubbles;
        m_sinceTaken.misses += isMissed ? 1 : 0;
        m_sinceTaken.absoluteError += error;
        m_sinceTaken.largestError = std::max(m_sinceTaken.largestError, error);
        Keep(state.earlyMargin, index, expectedEnd - end);
        Keep(state.lateMargin, index, start - expectedStart);
    }
}

void
BubbleForecast::Expect(WorkerIndex worker)
{
    State& state = m_states[worker];
    if (state.iteration == 0)
    {
        state.expected = m_rehearsal.empty() ? IterationPattern() : m_rehearsal.front()[worker];
        return;
    }
    state.expected = After(worker, state.iteration, std::move(state.measured));
    state.measured.clear();
}

/// What is expected of `iteration` when the one before it went as `pattern` says.
IterationPattern
BubbleForecast::After(WorkerIndex worker, std::size_t iteration, IterationPattern pattern) const
{
    if (iteration >= m_rehearsal.size())
    {
        return pattern;
    }
    const IterationPattern& now = m_rehearsal[iteration][worker];
    const IterationPattern& before = m_rehearsal[iteration - 1][worker];
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
    if (state.iteration >= m_iterations || state.expected.empty())
    {
        return bubbles;
    }
    Append(worker, state.expected, state.began, 0, bubbles);
    if (state.iteration + 1 < m_iterations)
    {
        Append(worker,
               After(worker, state.iteration + 1, state.expected),
               state.began + state.expected.back().end,
               1,
               bubbles);
    }
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
    bool hasTurned = false;
    for (std::size_t index = 0; index < pattern.size(); ++index)
    {
        const BusySpan& next = pattern[index];
        const Duration from = GapStart(pattern, index);
        if (next.start > from)
        {
            Bubble bubble;
            bubble.worker = worker;
            bubble.kind = KindOf(next.kind, index == 0, hasTurned);
            bubble.iterationsAhead = ahead;
            bubble.endsWith = static_cast<std::uint32_t>(index);
            bubble.start = began + from;
            bubble.end = began + next.start;
            const bool known = index < state.earlyMargin.size();
            const Duration early = known ? state.earlyMargin[index] : Duration();
            bubble.latestStart = bubble.start + (known ? state.lateMargin[index] : Duration());
            bubble.earliestEnd = std::max(bubble.start, bubble.end - early);
            const Bytes used = memory.state + memory.perActivation * live;
            bubble.freeMemory = used < memory.capacity ? memory.capacity - used : Bytes();
            bubbles.push_back(bubble);
        }
        live = LiveAfter(live, next.kind);
        hasTurned = hasTurned || IsBackward(next.kind);
    }
}

std::uint32_t
BubbleForecast::Workers() const
{
    return static_cast<std::uint32_t>(m_states.size());
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
