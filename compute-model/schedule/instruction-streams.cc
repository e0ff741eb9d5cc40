#include "schedule/instruction-streams.h"

#include <algorithm>
#include <map>
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

/// What all workers' writers share.
struct Pipeline
{
    const StreamInputs& inputs;
    std::vector<StageHome> homes;
    std::uint32_t microbatches = 0;
};

/// Writes the stream of one worker.
class StreamWriter
{
  public:
    StreamWriter(const Pipeline& pipeline, std::uint32_t replica, std::uint32_t position)
        : m_pipeline(pipeline),
          m_inputs(pipeline.inputs),
          m_replica(replica),
          m_position(position),
          m_order(pipeline.inputs.order.OfPipeline(replica)[position])
    {
        for (const Operation& operation : m_order)
        {
            const auto key = std::make_pair(operation.chunk, operation.microbatch);
            if (operation.kind == Kind::WeightGradient)
            {
                m_split[key] = true;
            }
            else if (operation.kind == Kind::Recompute)
            {
                m_recomputesAhead[key] = true;
            }
        }
    }

    InstructionStream Write()
    {
        constexpr std::size_t mostOfOperation = 4; // receive, recompute, compute, send
        m_stream.reserve(mostOfOperation * m_order.size());
        const auto lastOfChunk = LastGradients();
        for (std::size_t index = 0; index < m_order.size(); ++index)
        {
            const bool isLast = lastOfChunk.count(index) > 0;
            m_buckets = isLast && m_inputs.placement.replicas > 1 ? m_inputs.allReduceBuckets : 0;
            if (m_order[index].overlapsNext)
            {
                WriteOverlapped(m_order[index], m_order.at(index + 1));
                m_buckets = lastOfChunk.count(++index) > 0 ? 1 : 0;
                AllReduceAfterBlock(m_order[index]);
                continue;
            }
            WriteOperation(m_order[index]);
        }
        AllReduceTied();
        Compute(InstructionKind::OptimizerStep, 0, 0, OptimizerTime());
        return std::move(m_stream);
    }

    /// One forward, one backward in turn over all iterations, with an update after the last backward of each. One
    /// that is delayed comes before the first forward that needs it.
    InstructionStream WriteWithoutFlush()
    {
        const NoFlush& rule = *m_inputs.order.noFlush;
        const std::uint32_t total = m_pipeline.microbatches * m_inputs.iterations;
        const std::uint32_t warmUp = std::min(rule.warmUp[m_position], total);
        for (std::uint32_t forward = 0; forward < warmUp; ++forward)
        {
            WriteForwardOfRun(forward);
        }
        for (std::uint32_t backward = 0; backward < total; ++backward)
        {
            WriteDelayedUpdates((warmUp + backward) / m_pipeline.microbatches);
            if (warmUp + backward < total)
            {
                WriteForwardOfRun(warmUp + backward);
            }
            WriteBackwardOfRun(backward);
        }
        for (; m_updates < m_inputs.iterations; ++m_updates)
        {
            WriteUpdate();
        }
        return std::move(m_stream);
    }

  private:
    std::uint32_t Stage(std::uint32_t chunk) const
    {
        return m_inputs.order.StageOf(m_position, chunk);
    }

    std::uint32_t Chunks() const
    {
        return m_inputs.order.stagesOfWorker.empty()
                   ? 1
                   : static_cast<std::uint32_t>(m_inputs.order.stagesOfWorker[m_position].size());
    }

    Duration OptimizerTime() const
    {
        Duration time;
        for (std::uint32_t chunk = 0; chunk < Chunks(); ++chunk)
        {
            time = time + m_inputs.timing[Stage(chunk)].optimizerStep;
        }
        return time;
    }

    /// The positions of the operation that completes each chunk's gradients.
    std::map<std::size_t, std::uint32_t> LastGradients() const
    {
        std::map<std::uint32_t, std::size_t> lastOfChunk;
        for (std::size_t index = 0; index < m_order.size(); ++index)
        {
            if (m_order[index].kind == Kind::Backward ||
                m_order[index].kind == Kind::WeightGradient)
            {
                lastOfChunk[m_order[index].chunk] = index;
            }
        }
        std::map<std::size_t, std::uint32_t> chunkOfPosition;
        for (const auto& [chunk, index] : lastOfChunk)
        {
            chunkOfPosition[index] = chunk;
        }
        return chunkOfPosition;
    }

    void WriteOperation(const Operation& operation)
    {
        const StageTiming& timing = m_inputs.timing[Stage(operation.chunk)];
        switch (operation.kind)
        {
        case Kind::Forward:
            ReceiveInput(operation);
            Compute(
                InstructionKind::Forward, operation.chunk, operation.microbatch, timing.forward);
            SendOutput(operation);
            break;
        case Kind::Recompute:
            Compute(InstructionKind::Recompute,
                    operation.chunk,
                    operation.microbatch,
                    timing.recompute);
            m_stream.back().expected = operation.gradientExpected;
            break;
        case Kind::Backward:
            WriteBackward(operation);
            break;
        case Kind::WeightGradient:
            ComputeInBuckets(InstructionKind::WeightGradient, operation, timing.backwardWeight);
            break;
        }
    }

    void WriteBackward(const Operation& operation)
    {
        ReceiveInput(operation);
        Recompute(operation);
        ComputeInBuckets(InstructionKind::Backward, operation, BackwardTime(operation));
        SendOutput(operation);
    }

    void Recompute(const Operation& operation)
    {
        const std::uint32_t stage = Stage(operation.chunk);
        const bool keeps =
            m_inputs.order.keepsLastActivations && stage + 1 == m_pipeline.homes.size();
        const Duration time = m_inputs.timing[stage].recompute;
        if (time > Duration() && !keeps &&
            m_recomputesAhead.count({operation.chunk, operation.microbatch}) == 0)
        {
            Compute(InstructionKind::Recompute, operation.chunk, operation.microbatch, time);
        }
    }

    Duration BackwardTime(const Operation& operation) const
    {
        const StageTiming& timing = m_inputs.timing[Stage(operation.chunk)];
        return m_split.count({operation.chunk, operation.microbatch}) > 0 ? timing.backwardInput
                                                                          : timing.Backward();
    }

    /// The gradients of the last backward's parts are all-reduced while the rest of it runs.
    void ComputeInBuckets(InstructionKind kind, const Operation& operation, Duration time)
    {
        const std::int64_t buckets = std::max<std::int64_t>(1, m_buckets);
        const Bytes gradients = m_inputs.gradients[Stage(operation.chunk)];
        Duration done;
        Bytes reduced;
        for (std::int64_t bucket = 1; bucket <= buckets; ++bucket)
        {
            const Duration until = Duration::Nanoseconds(time.ToNanoseconds() * bucket / buckets);
            const Bytes upTo = Bytes::Of(gradients.Count() * bucket / buckets);
            Compute(kind, operation.chunk, operation.microbatch, until - done);
            if (m_buckets > 0)
            {
                AllReduce(operation.chunk, m_position, upTo - reduced);
            }
            done = until;
            reduced = upTo;
        }
    }

    /// Both start when both inputs are here; the block's time is shared out as their own times are.
    void WriteOverlapped(const Operation& forward, const Operation& backward)
    {
        const Duration forwardTime = m_inputs.timing[Stage(forward.chunk)].forward;
        const Duration backwardTime = BackwardTime(backward);
        const Duration sum = forwardTime + backwardTime;
        const Duration block = m_inputs.overlappedBlock.value_or(sum);
        const double share = forwardTime.ToSeconds() / std::max(1e-9, sum.ToSeconds());
        const Duration first =
            m_inputs.overlappedBlock ? Duration::Seconds(block.ToSeconds() * share) : forwardTime;
        ReceiveInput(forward);
        ReceiveInput(backward);
        Compute(InstructionKind::Forward, forward.chunk, forward.microbatch, first);
        SendOutput(forward);
        Recompute(backward);
        Compute(InstructionKind::Backward, backward.chunk, backward.microbatch, block - first);
        SendOutput(backward);
    }

    void AllReduceAfterBlock(const Operation& backward)
    {
        if (m_buckets > 0 && m_inputs.placement.replicas > 1)
        {
            AllReduce(backward.chunk, m_position, m_inputs.gradients[Stage(backward.chunk)]);
        }
    }

    void AllReduceTied()
    {
        const std::uint32_t first = m_pipeline.homes.front().worker;
        const std::uint32_t last = m_pipeline.homes.back().worker;
        if (m_inputs.tiedEmbeddingGradients > Bytes() && first != last &&
            (m_position == first || m_position == last))
        {
            AllReduce(0, m_inputs.placement.stages + m_replica, m_inputs.tiedEmbeddingGradients);
        }
    }

    /// Batch t computes with the weights of the update before the last: of t - 2, counting from 0.
    void WriteDelayedUpdates(std::uint32_t batch)
    {
        while (m_inputs.order.noFlush->delaysWeights && m_updates + 2 <= batch)
        {
            WriteUpdate();
            ++m_updates;
        }
    }

    void WriteForwardOfRun(std::uint32_t ofRun)
    {
        m_iteration = ofRun / m_pipeline.microbatches;
        WriteOperation({Kind::Forward, ofRun % m_pipeline.microbatches});
    }

    void WriteBackwardOfRun(std::uint32_t ofRun)
    {
        m_iteration = ofRun / m_pipeline.microbatches;
        const bool isLast = (ofRun + 1) % m_pipeline.microbatches == 0;
        m_buckets = isLast && m_inputs.placement.replicas > 1 ? m_inputs.allReduceBuckets : 0;
        // An update waits for every collective joined before it, so that it comes before those of the next batch.
        while (isLast && m_updates < m_iteration)
        {
            WriteUpdate();
            ++m_updates;
        }
        m_iteration = ofRun / m_pipeline.microbatches;
        WriteOperation({Kind::Backward, ofRun % m_pipeline.microbatches});
        m_buckets = 0;
        if (isLast)
        {
            AllReduceTied();
        }
        if (isLast && !m_inputs.order.noFlush->delaysWeights)
        {
            WriteUpdate();
            ++m_updates;
        }
    }

    /// Of batch m_updates.
    void WriteUpdate()
    {
        m_iteration = m_updates;
        Compute(InstructionKind::OptimizerStep, 0, 0, OptimizerTime());
    }

    void
    Compute(InstructionKind kind, std::uint32_t chunk, std::uint32_t microbatch, Duration duration)
    {
        Instruction instruction;
        instruction.kind = kind;
        instruction.iteration = m_iteration;
        instruction.stage = Stage(chunk);
        instruction.microbatch = microbatch;
        instruction.duration = duration;
        m_stream.push_back(instruction);
    }

    void ReceiveInput(const Operation& operation)
    {
        const std::uint32_t stage = Stage(operation.chunk);
        if (operation.kind == Kind::Forward && stage > 0)
        {
            Exchange(InstructionKind::Receive, Payload::Activation, operation, stage - 1);
        }
        else if (operation.kind == Kind::Backward && stage + 1 < m_pipeline.homes.size())
        {
            Exchange(InstructionKind::Receive, Payload::Gradient, operation, stage + 1);
        }
    }

    void SendOutput(const Operation& operation)
    {
        const std::uint32_t stage = Stage(operation.chunk);
        if (operation.kind == Kind::Forward && stage + 1 < m_pipeline.homes.size())
        {
            Exchange(InstructionKind::Send, Payload::Activation, operation, stage + 1);
        }
        else if (operation.kind == Kind::Backward && stage > 0)
        {
            Exchange(InstructionKind::Send, Payload::Gradient, operation, stage - 1);
        }
    }

    void Exchange(InstructionKind kind,
                  Payload payload,
                  const Operation& operation,
                  std::uint32_t peerStage)
    {
        const std::uint32_t peer = m_pipeline.homes[peerStage].worker;
        if (peer == m_position)
        {
            return;
        }
        Instruction instruction;
        instruction.kind = kind;
        instruction.iteration = m_iteration;
        instruction.stage = Stage(operation.chunk);
        instruction.microbatch = operation.microbatch;
        instruction.payload = payload;
        instruction.peer = m_inputs.placement.WorkerOf(m_replica, peer);
        instruction.size = m_inputs.boundary;
        m_stream.push_back(instruction);
    }

    void AllReduce(std::uint32_t chunk, std::uint32_t group, Bytes size)
    {
        Instruction instruction;
        instruction.kind = InstructionKind::AllReduce;
        instruction.iteration = m_iteration;
        instruction.stage = Stage(chunk);
        instruction.group = group;
        instruction.size = size;
        m_stream.push_back(instruction);
    }

    const Pipeline& m_pipeline;
    const StreamInputs& m_inputs;
    std::uint32_t m_replica;
    std::uint32_t m_position; ///< of the worker in its pipeline
    const StageOrder& m_order;
    std::map<std::pair<std::uint32_t, std::uint32_t>, bool> m_split; ///< chunk, microbatch
    std::map<std::pair<std::uint32_t, std::uint32_t>, bool> m_recomputesAhead;
    std::uint32_t m_buckets = 0; ///< that the next gradient computation is all-reduced in; 0: none
    std::uint32_t m_iteration = 0; ///< of the stream, where it holds several
    std::uint32_t m_updates = 0;   ///< written so far, where the stream holds several
    InstructionStream m_stream;
};

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
    if (inputs.allReduceBuckets == 0)
    {
        throw std::invalid_argument("gradients are all-reduced in at least 1 bucket");
    }
}

/// First the data-parallel group of each worker of a pipeline, then each pipeline's first and last stage.
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

} // namespace

ExecutionPlan
BuildStreams(const StreamInputs& inputs)
{
    Check(inputs);
    const Pipeline pipeline{inputs, HomesOf(inputs.order), MicrobatchesOf(inputs)};
    const bool flushes = !inputs.order.noFlush;
    const std::string position = inputs.order.stagesOfWorker.empty() ? " stage " : " worker ";
    ExecutionPlan plan;
    plan.iterations = flushes ? inputs.iterations : std::min(inputs.iterations, 1u);
    plan.groups = Groups(inputs.placement, pipeline.homes);
    for (std::uint32_t replica = 0; replica < inputs.placement.replicas; ++replica)
    {
        for (std::uint32_t stage = 0; stage < inputs.placement.stages; ++stage)
        {
            ExecutionPlan::Worker worker;
            worker.name = "replica " + std::to_string(replica) + position + std::to_string(stage);
            worker.node = inputs.placement.nodeOfWorker[inputs.placement.WorkerOf(replica, stage)];
            StreamWriter writer(pipeline, replica, stage);
            worker.stream = flushes ? writer.Write() : writer.WriteWithoutFlush();
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
