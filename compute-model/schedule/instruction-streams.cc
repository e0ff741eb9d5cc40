#include "schedule/instruction-streams.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace geotrain
{

namespace
{

/// Writes the stream of one worker.
class StreamWriter
{
  public:
    StreamWriter(const StreamInputs& inputs, std::uint32_t replica, std::uint32_t stage)
        : m_inputs(inputs),
          m_replica(replica),
          m_stage(stage),
          m_timing(inputs.timing[stage]),
          m_splitsBackward(SplitsBackward(inputs.order.stages[stage]))
    {
    }

    InstructionStream Write()
    {
        for (const Operation& operation : m_inputs.order.stages[m_stage])
        {
            switch (operation.kind)
            {
            case Operation::Kind::Forward:
                WriteForward(operation.microbatch);
                break;
            case Operation::Kind::Backward:
                WriteBackward(operation.microbatch);
                break;
            case Operation::Kind::WeightGradient:
                Compute(
                    InstructionKind::WeightGradient, operation.microbatch, m_timing.backwardWeight);
                break;
            }
        }
        WriteUpdate();
        return std::move(m_stream);
    }

  private:
    static bool SplitsBackward(const StageOrder& order)
    {
        return std::any_of(order.begin(),
                           order.end(),
                           [](const Operation& operation)
                           { return operation.kind == Operation::Kind::WeightGradient; });
    }

    void WriteForward(std::uint32_t microbatch)
    {
        if (m_stage > 0)
        {
            Exchange(InstructionKind::Receive, Payload::Activation, microbatch, m_stage - 1);
        }
        Compute(InstructionKind::Forward, microbatch, m_timing.forward);
        if (m_stage + 1 < m_inputs.placement.stages)
        {
            Exchange(InstructionKind::Send, Payload::Activation, microbatch, m_stage + 1);
        }
    }

    void WriteBackward(std::uint32_t microbatch)
    {
        if (m_stage + 1 < m_inputs.placement.stages)
        {
            Exchange(InstructionKind::Receive, Payload::Gradient, microbatch, m_stage + 1);
        }
        if (m_timing.recompute > Duration())
        {
            Compute(InstructionKind::Recompute, microbatch, m_timing.recompute);
        }
        Compute(InstructionKind::Backward,
                microbatch,
                m_splitsBackward ? m_timing.backwardInput
                                 : m_timing.backwardInput + m_timing.backwardWeight);
        if (m_stage > 0)
        {
            Exchange(InstructionKind::Send, Payload::Gradient, microbatch, m_stage - 1);
        }
    }

    void WriteUpdate()
    {
        const std::uint32_t last = m_inputs.placement.stages - 1;
        if (m_inputs.placement.replicas > 1)
        {
            AllReduce(m_stage, m_inputs.gradients[m_stage]);
        }
        if (m_inputs.tiedEmbeddingGradients > Bytes() && last > 0 &&
            (m_stage == 0 || m_stage == last))
        {
            AllReduce(m_inputs.placement.stages + m_replica, m_inputs.tiedEmbeddingGradients);
        }
        Compute(InstructionKind::OptimizerStep, 0, m_timing.optimizerStep);
    }

    void Compute(InstructionKind kind, std::uint32_t microbatch, Duration duration)
    {
        Instruction instruction;
        instruction.kind = kind;
        instruction.stage = m_stage;
        instruction.microbatch = microbatch;
        instruction.duration = duration;
        m_stream.push_back(instruction);
    }

    void Exchange(InstructionKind kind,
                  Payload payload,
                  std::uint32_t microbatch,
                  std::uint32_t peerStage)
    {
        Instruction instruction;
        instruction.kind = kind;
        instruction.stage = m_stage;
        instruction.microbatch = microbatch;
        instruction.payload = payload;
        instruction.peer = m_inputs.placement.WorkerOf(m_replica, peerStage);
        instruction.size = m_inputs.boundary;
        m_stream.push_back(instruction);
    }

    void AllReduce(std::uint32_t group, Bytes size)
    {
        Instruction instruction;
        instruction.kind = InstructionKind::AllReduce;
        instruction.stage = m_stage;
        instruction.group = group;
        instruction.size = size;
        m_stream.push_back(instruction);
    }

    const StreamInputs& m_inputs;
    std::uint32_t m_replica;
    std::uint32_t m_stage;
    const StageTiming& m_timing;
    bool m_splitsBackward;
    InstructionStream m_stream;
};

void
Check(const StreamInputs& inputs)
{
    const std::size_t stages = inputs.placement.stages;
    if (stages == 0 || inputs.order.stages.size() != stages || inputs.timing.size() != stages ||
        inputs.gradients.size() != stages ||
        inputs.placement.nodeOfWorker.size() != stages * inputs.placement.replicas)
    {
        throw std::invalid_argument(
            "orders, times, gradients and placement must have the same stages");
    }
    if (stages > 1 && !(inputs.boundary > Bytes()))
    {
        throw std::invalid_argument("a message between stages must have at least 1 byte");
    }
}

/// First the data-parallel group of each stage, then each pipeline's first and last stage.
std::vector<std::vector<WorkerIndex>>
Groups(const Placement& placement)
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
        groups.push_back(
            {placement.WorkerOf(replica, 0), placement.WorkerOf(replica, placement.stages - 1)});
    }
    return groups;
}

} // namespace

ExecutionPlan
BuildStreams(const StreamInputs& inputs)
{
    Check(inputs);
    ExecutionPlan plan;
    plan.iterations = inputs.iterations;
    plan.groups = Groups(inputs.placement);
    for (std::uint32_t replica = 0; replica < inputs.placement.replicas; ++replica)
    {
        for (std::uint32_t stage = 0; stage < inputs.placement.stages; ++stage)
        {
            const WorkerIndex worker = inputs.placement.WorkerOf(replica, stage);
            plan.workers.push_back(
                {"replica " + std::to_string(replica) + " stage " + std::to_string(stage),
                 inputs.placement.nodeOfWorker[worker],
                 StreamWriter(inputs, replica, stage).Write()});
        }
    }
    return plan;
}

} // namespace geotrain
