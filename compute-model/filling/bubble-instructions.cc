// SPDX-License-Identifier: GPL-2.0-only
#include "filling/bubble-instructions.h"

#include <algorithm>
#include <utility>

namespace geotrain
{

namespace
{

/// Returns where the receives begin that stand right before `position`.
std::size_t
FirstReceiveBefore(const InstructionStream& stream, std::size_t position)
{
    while (position > 0 && stream[position - 1].kind == InstructionKind::Receive)
    {
        --position;
    }
    return position;
}

/// Returns whether the computation at `position` may have to wait. `hasCollectives` says that some
/// were joined in its iteration.
bool
MayWait(const ExecutionPlan::Worker& worker, std::size_t position, bool hasCollectives)
{
    const InstructionStream& stream = worker.stream;
    const bool receives = position > 0 && stream[position - 1].kind == InstructionKind::Receive;
    const bool joins = hasCollectives && stream[position].kind == InstructionKind::OptimizerStep;
    return receives || joins || worker.activationCap > 0;
}

} // namespace

BubbleInstructions::BubbleInstructions(ExecutionPlan& plan)
    : m_plan(plan)
{
    for (ExecutionPlan::Worker& worker : plan.workers)
    {
        m_places.push_back(Insert(worker));
    }
}

std::vector<BubbleInstructions::Places>
BubbleInstructions::Insert(ExecutionPlan::Worker& worker)
{
    const InstructionStream planned = std::exchange(worker.stream, {});
    const ExecutionPlan::Worker source{worker.name, worker.node, planned, worker.activationCap};
    std::vector<Places> iterations(1);
    std::uint32_t computations = 0; // computations of the iteration so far
    bool hasCollectives = false;
    std::size_t copied = 0;
    const auto copyUntil = [&](std::size_t end)
    {
        for (; copied < end; ++copied)
        {
            worker.stream.push_back(planned[copied]);
        }
    };
    for (std::size_t position = 0; position < planned.size(); ++position)
    {
        const Instruction& next = planned[position];
        hasCollectives = hasCollectives || IsCollective(next.kind);
        if (!IsCompute(next.kind))
        {
            continue;
        }
        if (MayWait(source, position, hasCollectives))
        {
            copyUntil(FirstReceiveBefore(planned, position));
            iterations.back().push_back({worker.stream.size(), computations});
            Instruction bubble;
            bubble.kind = InstructionKind::Bubble;
            bubble.iteration = next.iteration;
            bubble.stage = next.stage;
            worker.stream.push_back(bubble);
        }
        ++computations;
        if (next.kind == InstructionKind::OptimizerStep && position + 1 < planned.size())
        {
            iterations.emplace_back();
            computations = 0;
            hasCollectives = false;
        }
    }
    copyUntil(planned.size());
    return iterations;
}

const BubbleInstructions::Places&
BubbleInstructions::PlacesOf(WorkerIndex worker, std::uint32_t iteration) const
{
    return m_places.at(worker)[iteration % m_places[worker].size()];
}

void
BubbleInstructions::Write(WorkerIndex worker,
                          std::uint32_t iteration,
                          Instant began,
                          const std::vector<Bubble>& bubbles)
{
    auto next = bubbles.begin();
    for (const Place& place : PlacesOf(worker, iteration))
    {
        next =
            std::find_if(next,
                         bubbles.end(),
                         [&place](const Bubble& bubble) {
                             return bubble.iterationsAhead > 0 || bubble.endsWith >= place.endsWith;
                         });
        const bool isExpected =
            next != bubbles.end() && next->iterationsAhead == 0 && next->endsWith == place.endsWith;
        Instruction& bubble = m_plan.workers[worker].stream[place.position];
        bubble.expected = isExpected ? next->start - began : Duration();
        bubble.duration = isExpected ? next->Length() : Duration();
        bubble.size = isExpected ? next->freeMemory : Bytes();
    }
}

std::vector<Bubble>
BubbleInstructions::Read(WorkerIndex worker, std::uint32_t iteration, Instant began) const
{
    std::vector<Bubble> bubbles;
    for (const Place& place : PlacesOf(worker, iteration))
    {
        const Instruction& bubble = m_plan.workers[worker].stream[place.position];
        if (bubble.duration > Duration())
        {
            Bubble read;
            read.worker = worker;
            read.start = began + bubble.expected;
            read.end = read.start + bubble.duration;
            read.freeMemory = bubble.size;
            read.endsWith = place.endsWith;
            bubbles.push_back(read);
        }
    }
    return bubbles;
}

} // namespace geotrain
