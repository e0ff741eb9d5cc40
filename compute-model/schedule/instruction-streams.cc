// SPDX-License-Identifier: GPL-2.0-only
#include "schedule/instruction-streams.h"

#include "schedule/stream-writer.h"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

namespace geotrain
{

namespace
{

using Kind = Operation::Kind;

std::uint32_t
MicrobatchesOf(const StreamInputs& inputs)
{
    if (inputs.microbatches > 0)
    {
        return inputs.microbatches;
    }
    const StageOrder& first = inputs.order.stages.front();
    return static_cast<std::uint32_t>(std::count_if(first.begin(),
                                                    first.end(),
                                                    [](const Operation& operation) {
                                                        return operation.kind == Kind::Forward &&
                                                               operation.chunk == 0;
                                                    }));
}

/// Returns the positions of the operations that complete a chunk's gradients.
std::set<std::size_t>
LastGradients(const StageOrder& order)
{
    std::map<std::uint32_t, std::size_t> lastOfChunk;
    for (std::size_t index = 0; index < order.size(); ++index)
    {
        if (order[index].kind == Kind::Backward || order[index].kind == Kind::WeightGradient)
        {
            lastOfChunk[order[index].chunk] = index;
        }
    }
    std::set<std::size_t> positions;
    for (const auto& [chunk, index] : lastOfChunk)
    {
        positions.insert(index);
    }
    return positions;
}

/// Writes one iteration: the order, then the update.
void
WriteIteration(StreamWriter& writer, const StageOrder& order)
{
    const auto last = LastGradients(order);
    for (std::size_t index = 0; index < order.size(); ++index)
    {
        if (order[index].overlapsNext)
        {
            writer.WriteOverlapped(order[index], order.at(index + 1), last.count(index + 1) > 0);
            ++index;
            continue;
        }
        writer.Write(order[index], last.count(index) > 0);
    }
    writer.AllReduceTied();
    writer.Update();
}

/// Writes all iterations of a worker without flush: one forward and one backward in turn, with an
/// update after the last backward of each iteration. A delayed update comes before the first
/// forward that needs it.
class UnflushedRun
{
  public:
    UnflushedRun(StreamWriter& writer, const NoFlush& rule, std::uint32_t microbatches)
        : m_writer(writer),
          m_rule(rule),
          m_microbatches(microbatches)
    {
    }

    void Write(std::uint32_t warmUp, std::uint32_t iterations)
    {
        const std::uint32_t total = m_microbatches * iterations;
        const std::uint32_t ahead = std::min(warmUp, total);
        for (std::uint32_t forward = 0; forward < ahead; ++forward)
        {
            WriteForward(forward);
        }
        for (std::uint32_t backward = 0; backward < total; ++backward)
        {
            WriteDelayedUpdates((ahead + backward) / m_microbatches);
            if (ahead + backward < total)
            {
                WriteForward(ahead + backward);
            }
            WriteBackward(backward);
        }
        WriteUpdatesBefore(iterations);
    }

  private:
    /// Writes delayed updates. Batch t computes with the weights of the update before the last: of
    /// t - 2, counting from 0.
    void WriteDelayedUpdates(std::uint32_t batch)
    {
        if (m_rule.delaysWeights && batch > 1)
        {
            WriteUpdatesBefore(batch - 1);
        }
    }

    /// Writes the updates of the batches before `batch` that have not come.
    void WriteUpdatesBefore(std::uint32_t batch)
    {
        for (; m_updates < batch; ++m_updates)
        {
            m_writer.SetIteration(m_updates);
            m_writer.Update();
        }
    }

    void WriteForward(std::uint32_t ofRun)
    {
        m_writer.SetIteration(ofRun / m_microbatches);
        m_writer.Write({Kind::Forward, ofRun % m_microbatches}, false);
    }

    void WriteBackward(std::uint32_t ofRun)
    {
        const std::uint32_t batch = ofRun / m_microbatches;
        const bool isLast = (ofRun + 1) % m_microbatches == 0;
        if (isLast)
        {
            // An update waits for every collective joined before it, so that it comes before those
            // of the next batch.
            WriteUpdatesBefore(batch);
        }
        m_writer.SetIteration(batch);
        m_writer.Write({Kind::Backward, ofRun % m_microbatches}, isLast);
        if (isLast)
        {
            m_writer.AllReduceTied();
        }
        if (isLast && !m_rule.delaysWeights)
        {
            WriteUpdatesBefore(batch + 1);
        }
    }

    StreamWriter& m_writer;
    const NoFlush& m_rule;
    std::uint32_t m_microbatches;
    std::uint32_t m_updates = 0; ///< written so far
};

InstructionStream
StreamOf(const Pipeline& pipeline, std::uint32_t replica, std::uint32_t position)
{
    const StreamInputs& inputs = pipeline.inputs;
    StreamWriter writer(pipeline, replica, position);
    if (inputs.order.noFlush)
    {
        const NoFlush& rule = *inputs.order.noFlush;
        UnflushedRun(writer, rule, pipeline.microbatches)
            .Write(rule.warmUp[position], inputs.iterations);
    }
    else
    {
        WriteIteration(writer, inputs.order.OfPipeline(replica)[position]);
    }
    return writer.Take();
}

void
Check(const StreamInputs& inputs)
{
    const std::size_t workers = inputs.placement.stages;
    const std::size_t stages = inputs.order.StageCount();
    if (workers == 0 || inputs.order.stages.size() != workers || inputs.timing.size() != stages ||
        inputs.gradients.size() != stages ||
        inputs.placement.nodeOfWorker.size() != workers * inputs.placement.replicas)
    {
        throw std::invalid_argument(
            "orders, times, gradients and placement must have the same stages");
    }
    if (stages > 1 && !(inputs.boundary > Bytes()))
    {
        throw std::invalid_argument("a message between stages must have at least 1 byte");
    }
    if (inputs.placement.replicas % inputs.experts.degree != 0 ||
        (inputs.experts.IsThere() && inputs.order.deviates))
    {
        throw std::invalid_argument("experts are spread over groups of replicas, in a fixed order");
    }
    if (inputs.allReduceBuckets == 0)
    {
        throw std::invalid_argument("gradients are all-reduced in at least 1 bucket");
    }
}

/// Returns first the data-parallel group of each worker of a pipeline, then each pipeline's first
/// and last stage.
std::vector<std::vector<WorkerIndex>>
Groups(const Placement& placement, const std::vector<StageHome>& homes)
{
    std::vector<std::vector<WorkerIndex>> groups(placement.stages);
    for (std::uint32_t replica = 0; replica < placement.replicas; ++replica)
    {
        for (std::uint32_t stage = 0; stage < placement.stages; ++stage)
        {
            groups[stage].push_back(placement.WorkerOf(replica, stage));
        }
    }
    for (std::uint32_t replica = 0; replica < placement.replicas; ++replica)
    {
        groups.push_back({placement.WorkerOf(replica, homes.front().worker),
                          placement.WorkerOf(replica, homes.back().worker)});
    }
    return groups;
}

/// Adds, for each worker of a pipeline, the replicas that share the experts, set after set, and then,
/// worker after worker again, those that have the same experts.
void
AddExpertGroups(const Placement& placement,
                std::uint32_t degree,
                std::vector<std::vector<WorkerIndex>>& groups)
{
    const auto add =
        [&](std::uint32_t stage, std::uint32_t from, std::uint32_t step, std::uint32_t count)
    {
        std::vector<WorkerIndex> members;
        for (std::uint32_t i = 0; i < count; ++i)
        {
            members.push_back(placement.WorkerOf(from + i * step, stage));
        }
        groups.push_back(members);
    };
    const std::uint32_t sets = placement.replicas / degree;
    for (std::uint32_t stage = 0; stage < placement.stages; ++stage)
    {
        for (std::uint32_t set = 0; set < sets; ++set)
        {
            add(stage, set * degree, 1, degree);
        }
    }
    for (std::uint32_t stage = 0; stage < placement.stages; ++stage)
    {
        for (std::uint32_t rank = 0; rank < degree; ++rank)
        {
            add(stage, rank, degree, sets);
        }
    }
}

} // namespace

ExecutionPlan
BuildStreams(const StreamInputs& inputs)
{
    Check(inputs);
    const Pipeline pipeline{inputs, HomesOf(inputs.order), MicrobatchesOf(inputs)};
    const std::string position = inputs.order.stagesOfWorker.empty() ? " stage " : " worker ";
    ExecutionPlan plan;
    plan.iterations = inputs.order.noFlush ? std::min(inputs.iterations, 1u) : inputs.iterations;
    plan.groups = Groups(inputs.placement, pipeline.homes);
    if (inputs.experts.IsThere())
    {
        AddExpertGroups(inputs.placement, inputs.experts.degree, plan.groups);
        plan.betweenNodes = inputs.experts.betweenNodes;
    }
    for (std::uint32_t replica = 0; replica < inputs.placement.replicas; ++replica)
    {
        for (std::uint32_t stage = 0; stage < inputs.placement.stages; ++stage)
        {
            ExecutionPlan::Worker worker;
            worker.name = "replica " + std::to_string(replica) + position + std::to_string(stage);
            worker.node = inputs.placement.nodeOfWorker[inputs.placement.WorkerOf(replica, stage)];
            worker.stream = StreamOf(pipeline, replica, stage);
            if (inputs.order.deviates)
            {
                worker.activationCap = inputs.order.activationCap[stage];
            }
            plan.workers.push_back(std::move(worker));
        }
    }
    return plan;
}

} // namespace geotrain
