// SPDX-License-Identifier: GPL-2.0-only
#include "schedule/layered-streams.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace geotrain
{

namespace
{

/// A LayeredWriter writes the stream of a worker, which is the same for all workers of a type of GPU.
/// An item is the forward or the backward of a layer.
class LayeredWriter
{
  public:
    LayeredWriter(const LayeredStreamInputs& inputs, const LayeredWork& work)
        : m_inputs(inputs),
          m_work(work)
    {
    }

    /// Writes one iteration of ZeRO-3.
    InstructionStream Sharded()
    {
        for (std::size_t item = 0; item < ItemsOfIteration(); ++item)
        {
            AskUntil(item, ItemsOfIteration(), InstructionKind::AllGather);
            if (item > 0 && IsBackward(item - 1))
            {
                Request(InstructionKind::ReduceScatter, item - 1);
            }
            Compute(item, Lane::Collective);
        }
        Request(InstructionKind::ReduceScatter, ItemsOfIteration() - 1);
        Add(InstructionKind::OptimizerStep, 0).duration = m_work.optimizerStep;
        return std::move(m_stream);
    }

    /// Writes all iterations with an in-network optimizer.
    InstructionStream InNetwork()
    {
        const std::size_t end = ItemsOfIteration() * m_inputs.iterations;
        for (std::size_t item = 0; item < end; ++item)
        {
            AskUntil(item, end, InstructionKind::Pull);
            if (IsBackward(item))
            {
                AwaitPushes(item);
            }
            Compute(item, Lane::Pull);
            if (IsBackward(item))
            {
                Request(InstructionKind::Push, item);
            }
            if ((item + 1) % ItemsOfIteration() == 0)
            {
                Add(InstructionKind::OptimizerStep, item);
            }
        }
        Add(InstructionKind::Await, end - 1).lane = Lane::Push;
        return std::move(m_stream);
    }

  private:
    std::size_t ItemsOfIteration() const
    {
        return 2 * m_work.layers.size() * m_inputs.microbatches;
    }

    bool IsBackward(std::size_t item) const
    {
        return item % (2 * m_work.layers.size()) >= m_work.layers.size();
    }

    std::size_t LayerOf(std::size_t item) const
    {
        const std::size_t count = m_work.layers.size();
        const std::size_t place = item % (2 * count);
        return place < count ? place : 2 * count - 1 - place;
    }

    Instruction& Add(InstructionKind kind, std::size_t item)
    {
        Instruction instruction;
        instruction.kind = kind;
        instruction.iteration = static_cast<std::uint32_t>(item / ItemsOfIteration());
        instruction.stage = static_cast<std::uint32_t>(LayerOf(item));
        m_stream.push_back(instruction);
        return m_stream.back();
    }

    void Request(InstructionKind kind, std::size_t item)
    {
        Add(kind, item).size = m_work.layers[LayerOf(item)].parameters;
        ++m_requests[static_cast<std::size_t>(LaneOf(kind))];
    }

    /// Asks for all layers up to those that are fetched ahead of `item`.
    void AskUntil(std::size_t item, std::size_t end, InstructionKind kind)
    {
        while (m_asked.size() < std::min(end, item + 1 + m_inputs.prefetch))
        {
            Request(kind, m_asked.size());
            m_asked.push_back(m_requests[static_cast<std::size_t>(LaneOf(kind))]);
        }
    }

    /// Waits until gradients of no more layers are on their way than were asked for ahead, so that
    /// there is memory for those of this layer.
    void AwaitPushes(std::size_t item)
    {
        if (m_requests[static_cast<std::size_t>(Lane::Push)] > m_inputs.prefetch)
        {
            Instruction& await = Add(InstructionKind::Await, item);
            await.lane = Lane::Push;
            await.microbatch = m_inputs.prefetch;
        }
    }

    /// Waits for the parameters of an item, which came on `lane`, and computes.
    void Compute(std::size_t item, Lane lane)
    {
        Instruction& await = Add(InstructionKind::Await, item);
        await.lane = lane;
        await.microbatch = m_requests[static_cast<std::size_t>(lane)] - m_asked[item];
        const LayerWork& layer = m_work.layers[LayerOf(item)];
        if (!IsBackward(item))
        {
            AddCompute(InstructionKind::Forward, item, layer.forward);
            return;
        }
        if (layer.recompute > Duration())
        {
            AddCompute(InstructionKind::Recompute, item, layer.recompute);
        }
        AddCompute(InstructionKind::Backward, item, layer.backward);
    }

    void AddCompute(InstructionKind kind, std::size_t item, Duration duration)
    {
        Instruction& compute = Add(kind, item);
        compute.duration = duration;
        compute.microbatch =
            static_cast<std::uint32_t>(item % ItemsOfIteration() / (2 * m_work.layers.size()));
    }

    const LayeredStreamInputs& m_inputs;
    const LayeredWork& m_work;
    InstructionStream m_stream;
    std::uint32_t m_requests[laneCount] = {}; ///< made so far, by lane
    /// By item: requests made on its lane when its own had been made.
    std::vector<std::uint32_t> m_asked;
};

void
CheckLayers(const LayeredStreamInputs& inputs)
{
    if (inputs.works.empty() || inputs.works.front().layers.empty() ||
        inputs.nodeOfWorker.empty() || inputs.iterations == 0 || inputs.microbatches == 0)
    {
        throw std::invalid_argument("there must be layers, workers, iterations and microbatches");
    }
    const auto isUnlike = [&inputs](const LayeredWork& work)
    { return work.layers.size() != inputs.works.front().layers.size(); };
    const auto isUnknown = [&inputs](std::uint32_t work) { return work >= inputs.works.size(); };
    if (inputs.workOfWorker.size() != inputs.nodeOfWorker.size() ||
        std::any_of(inputs.workOfWorker.begin(), inputs.workOfWorker.end(), isUnknown) ||
        std::any_of(inputs.works.begin(), inputs.works.end(), isUnlike))
    {
        throw std::invalid_argument(
            "each worker must have a work, of as many layers as the others");
    }
    if (inputs.dataParallelism == DataParallelism::Replicated)
    {
        throw std::invalid_argument("replicated models have no streams by layer");
    }
    if (inputs.dataParallelism == DataParallelism::InNetwork && inputs.microbatches != 1)
    {
        throw std::invalid_argument("gradients are pushed after every microbatch, so that there "
                                    "must be one");
    }
}

} // namespace

ExecutionPlan
BuildLayeredStreams(const LayeredStreamInputs& inputs)
{
    CheckLayers(inputs);
    const bool isSharded = inputs.dataParallelism == DataParallelism::Zero3;
    std::vector<InstructionStream> streams; // by work
    for (const LayeredWork& work : inputs.works)
    {
        LayeredWriter writer(inputs, work);
        streams.push_back(isSharded ? writer.Sharded() : writer.InNetwork());
    }
    ExecutionPlan plan;
    plan.contention = isSharded ? inputs.contention : ExecutionPlan::Contention{};
    plan.iterations = isSharded ? inputs.iterations : 1;
    plan.groups.emplace_back();
    for (const NodeIndex node : inputs.nodeOfWorker)
    {
        const auto worker = static_cast<WorkerIndex>(plan.workers.size());
        plan.groups.front().push_back(worker);
        const InstructionStream& stream = streams[inputs.workOfWorker[worker]];
        plan.workers.push_back({"worker " + std::to_string(worker), node, stream, 0});
    }
    return plan;
}

} // namespace geotrain
