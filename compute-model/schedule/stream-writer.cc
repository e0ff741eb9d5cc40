// SPDX-License-Identifier: GPL-2.0-only
#include "schedule/stream-writer.h"

#include <algorithm>

namespace geotrain
{

namespace
{

using Kind = Operation::Kind;

} // namespace

StreamWriter::StreamWriter(const Pipeline& pipeline, std::uint32_t replica, std::uint32_t position)
    : m_pipeline(pipeline),
      m_inputs(pipeline.inputs),
      m_replica(replica),
      m_position(position)
{
    constexpr std::size_t mostOfOperation = 4; // receive, recompute, compute, send
    const StageOrder& order = m_inputs.order.OfPipeline(replica)[position];
    m_stream.reserve(mostOfOperation * order.size());
    for (const Operation& operation : order)
    {
        if (operation.kind == Kind::WeightGradient)
        {
            m_split.insert({operation.chunk, operation.microbatch});
        }
        else if (operation.kind == Kind::Recompute)
        {
            m_recomputesAhead.insert({operation.chunk, operation.microbatch});
        }
    }
}

void
StreamWriter::SetIteration(std::uint32_t iteration)
{
    m_iteration = iteration;
}

void
StreamWriter::Write(const Operation& operation, bool completes)
{
    const StageTiming& timing = m_inputs.timing[Stage(operation.chunk)];
    switch (operation.kind)
    {
    case Kind::Forward:
        ReceiveInput(operation);
        ComputeForward(operation, timing.forward);
        SendOutput(operation);
        break;
    case Kind::Recompute:
        ComputeWithExchanges(InstructionKind::Recompute,
                             operation,
                             timing.recompute,
                             ExchangesOf(InstructionKind::Recompute, operation.chunk));
        m_stream.back().expected = operation.gradientExpected;
        break;
    case Kind::Backward:
        ReceiveInput(operation);
        Recompute(operation);
        ComputeInBuckets(InstructionKind::Backward, operation, BackwardTime(operation), completes);
        SendOutput(operation);
        break;
    case Kind::WeightGradient:
        ComputeInBuckets(
            InstructionKind::WeightGradient, operation, timing.backwardWeight, completes);
        break;
    }
}

void
StreamWriter::WriteOverlapped(const Operation& forward, const Operation& backward, bool completes)
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
    ComputeForward(forward, first);
    SendOutput(forward);
    Recompute(backward);
    ComputeInBuckets(InstructionKind::Backward, backward, block - first, completes);
    SendOutput(backward);
}

void
StreamWriter::AllReduceTied()
{
    const std::uint32_t first = m_pipeline.homes.front().worker;
    const std::uint32_t last = m_pipeline.homes.back().worker;
    if (m_inputs.tiedEmbeddingGradients > Bytes() && first != last &&
        (m_position == first || m_position == last))
    {
        Join(InstructionKind::AllReduce,
             0,
             m_inputs.placement.stages + m_replica,
             m_inputs.tiedEmbeddingGradients);
    }
}

void
StreamWriter::Update()
{
    const auto& hosted = m_inputs.order.stagesOfWorker;
    const std::size_t chunks = hosted.empty() ? 1 : hosted[m_position].size();
    Duration time;
    for (std::uint32_t chunk = 0; chunk < chunks; ++chunk)
    {
        time = time + m_inputs.timing[Stage(chunk)].optimizerStep;
        // The step, which comes before the gathering, ends an iteration and waits for collectives:
        // their sum is the same either way.
        if (!m_inputs.gathered.empty() && m_inputs.placement.replicas > 1)
        {
            Join(InstructionKind::AllGather, chunk, m_position, m_inputs.gathered[Stage(chunk)]);
        }
    }
    Compute(InstructionKind::OptimizerStep, 0, 0, time);
}

InstructionStream
StreamWriter::Take()
{
    return std::move(m_stream);
}

std::uint32_t
StreamWriter::Stage(std::uint32_t chunk) const
{
    return m_inputs.order.StageOf(m_position, chunk);
}

void
StreamWriter::Recompute(const Operation& operation)
{
    const std::uint32_t stage = Stage(operation.chunk);
    const bool keeps = m_inputs.order.keepsLastActivations && stage + 1 == m_pipeline.homes.size();
    const Duration time = m_inputs.timing[stage].recompute;
    if (time > Duration() && !keeps &&
        m_recomputesAhead.count({operation.chunk, operation.microbatch}) == 0)
    {
        ComputeWithExchanges(InstructionKind::Recompute,
                             operation,
                             time,
                             ExchangesOf(InstructionKind::Recompute, operation.chunk));
    }
}

Duration
StreamWriter::BackwardTime(const Operation& operation) const
{
    const StageTiming& timing = m_inputs.timing[Stage(operation.chunk)];
    return m_split.count({operation.chunk, operation.microbatch}) > 0 ? timing.backwardInput
                                                                      : timing.Backward();
}

/// Returns the number of equal parts in which gradients are all-reduced.
std::int64_t
StreamWriter::BucketsOf(Bytes gradients) const
{
    const std::int64_t most = m_inputs.gradientBucket.Count();
    return most > 0 ? std::max<std::int64_t>(1, (gradients.Count() + most - 1) / most)
                    : m_inputs.allReduceBuckets;
}

void
StreamWriter::ComputeInBuckets(InstructionKind kind,
                               const Operation& operation,
                               Duration time,
                               bool completes)
{
    const bool reduces = completes && m_inputs.placement.replicas > 1;
    const Bytes gradients = m_inputs.gradients[Stage(operation.chunk)];
    const std::int64_t buckets = reduces ? BucketsOf(gradients) : 1;
    const std::int64_t exchanges = ExchangesOf(kind, operation.chunk);
    std::int64_t exchanged = 0;
    Duration done;
    Bytes reduced;
    for (std::int64_t bucket = 1; bucket <= buckets; ++bucket)
    {
        const Duration until = Duration::Nanoseconds(time.ToNanoseconds() * bucket / buckets);
        const Bytes upTo = Bytes::Of(gradients.Count() * bucket / buckets);
        const std::int64_t upToExchange = exchanges * bucket / buckets;
        ComputeWithExchanges(kind, operation, until - done, upToExchange - exchanged);
        exchanged = upToExchange;
        if (reduces)
        {
            Join(InstructionKind::AllReduce, operation.chunk, m_position, upTo - reduced);
        }
        done = until;
        reduced = upTo;
    }
    const ExpertExchange& experts = m_inputs.experts;
    if (reduces && experts.IsThere() && m_inputs.placement.replicas > experts.degree &&
        experts.layers[Stage(operation.chunk)] > 0)
    {
        Join(InstructionKind::AllReduce,
             operation.chunk,
             ExpertGroup(true),
             experts.gradients[Stage(operation.chunk)]);
    }
}

/// Returns the all-to-alls of a pass over the layers of a stage: two for each layer with experts. Their
/// weights' gradients need none, nor does attention that is recomputed alone.
std::int64_t
StreamWriter::ExchangesOf(InstructionKind kind, std::uint32_t chunk) const
{
    const ExpertExchange& experts = m_inputs.experts;
    const bool passesTokens = experts.IsThere() && kind != InstructionKind::WeightGradient &&
                              (kind != InstructionKind::Recompute || experts.isRecomputed);
    return passesTokens ? 2 * std::int64_t{experts.layers[Stage(chunk)]} : 0;
}

/// Returns the group of the worker's all-to-alls, or of its experts' gradients, as the plan lists them
/// behind its other groups.
std::uint32_t
StreamWriter::ExpertGroup(bool ofGradients) const
{
    const std::uint32_t degree = m_inputs.experts.degree;
    const std::uint32_t sets = m_inputs.placement.replicas / degree;
    const std::uint32_t exchanges = m_inputs.placement.stages + m_inputs.placement.replicas;
    return ofGradients ? exchanges + m_inputs.placement.stages * sets + m_position * degree +
                             m_replica % degree
                       : exchanges + m_position * sets + m_replica / degree;
}

/// Writes a computation in equal parts, with an all-to-all between each two.
void
StreamWriter::ComputeWithExchanges(InstructionKind kind,
                                   const Operation& operation,
                                   Duration duration,
                                   std::int64_t exchanges)
{
    Duration done;
    for (std::int64_t part = 1; part <= exchanges; ++part)
    {
        const auto until = Duration::Nanoseconds(duration.ToNanoseconds() * part / (exchanges + 1));
        Compute(kind, operation.chunk, operation.microbatch, until - done);
        done = until;
        Join(InstructionKind::AllToAll, operation.chunk, ExpertGroup(false), m_inputs.experts.size);
        Instruction wait;
        wait.kind = InstructionKind::Await;
        wait.lane = Lane::AllToAll;
        wait.iteration = m_iteration;
        wait.stage = Stage(operation.chunk);
        m_stream.push_back(wait);
    }
    Compute(kind, operation.chunk, operation.microbatch, duration - done);
}

void
StreamWriter::ComputeForward(const Operation& operation, Duration time)
{
    const std::size_t first = m_stream.size();
    ComputeWithExchanges(InstructionKind::Forward,
                         operation,
                         time,
                         ExchangesOf(InstructionKind::Forward, operation.chunk));
    if (Stage(operation.chunk) == 0 && operation.microbatch == 0)
    {
        m_stream[first].expected = m_inputs.iterationOverhead;
    }
}

void
StreamWriter::Compute(InstructionKind kind,
                      std::uint32_t chunk,
                      std::uint32_t microbatch,
                      Duration duration)
{
    Instruction instruction;
    instruction.kind = kind;
    instruction.iteration = m_iteration;
    instruction.stage = Stage(chunk);
    instruction.microbatch = microbatch;
    instruction.duration = duration;
    m_stream.push_back(instruction);
}

void
StreamWriter::ReceiveInput(const Operation& operation)
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

void
StreamWriter::SendOutput(const Operation& operation)
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

void
StreamWriter::Exchange(InstructionKind kind,
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

void
StreamWriter::Join(InstructionKind collective, std::uint32_t chunk, std::uint32_t group, Bytes size)
{
    Instruction instruction;
    instruction.kind = collective;
    instruction.iteration = m_iteration;
    instruction.stage = Stage(chunk);
    instruction.group = group;
    instruction.size = size;
    m_stream.push_back(instruction);
}

} // namespace geotrain
