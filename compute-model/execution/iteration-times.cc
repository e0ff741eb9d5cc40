// SPDX-License-Identifier: GPL-2.0-only
#include "execution/iteration-times.h"

#include <algorithm>

namespace geotrain
{

std::uint32_t
MeasuredIterations::Count() const
{
    return settling + measured + draining;
}

std::uint32_t
SettlingIterations(std::uint32_t stages, std::uint32_t microbatches)
{
    return (2 * stages + microbatches - 1) / microbatches;
}

MeasuredIterations
SteadyIterations(std::uint32_t stages, std::uint32_t microbatches)
{
    return {SettlingIterations(stages, microbatches), leastSteadyUpdates, 0};
}

IterationTimes::IterationTimes(std::size_t workers)
    : m_updates(workers)
{
}

void
IterationTimes::InstructionEnded(WorkerIndex worker,
                                 std::uint32_t /*iteration*/,
                                 const Instruction& instruction,
                                 Instant /*start*/,
                                 Instant end)
{
    if (instruction.kind == InstructionKind::OptimizerStep)
    {
        m_updates[worker].push_back(end);
    }
}

void
IterationTimes::IterationEnded(std::uint32_t /*iteration*/, Instant end)
{
    m_ends.push_back(end);
}

Duration
IterationTimes::TimeOf(const MeasuredIterations& iterations) const
{
    const auto last = iterations.settling + iterations.measured - 1;
    if (iterations.settling == 0)
    {
        return Duration::Nanoseconds((m_ends.at(last) - Instant()).ToNanoseconds() /
                                     iterations.measured);
    }
    Duration slowest;
    for (const auto& updates : m_updates)
    {
        slowest = std::max(slowest, updates.at(last) - updates.at(iterations.settling - 1));
    }
    return Duration::Nanoseconds(slowest.ToNanoseconds() / iterations.measured);
}

const std::vector<Instant>&
IterationTimes::Ends() const
{
    return m_ends;
}

} // namespace geotrain
