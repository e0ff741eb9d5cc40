// SPDX-License-Identifier: GPL-2.0-only
#include "runner/trace-recorder.h"

#include <utility>

namespace geotrain
{

namespace
{

trace::GpuWork
WorkOf(InstructionKind kind)
{
    switch (kind)
    {
    case InstructionKind::Forward:
        return trace::GPU_WORK_FORWARD;
    case InstructionKind::Recompute:
        return trace::GPU_WORK_RECOMPUTE;
    case InstructionKind::Backward:
        return trace::GPU_WORK_BACKWARD;
    case InstructionKind::WeightGradient:
        return trace::GPU_WORK_WEIGHT_GRADIENT;
    case InstructionKind::OptimizerStep:
        return trace::GPU_WORK_OPTIMIZER_STEP;
    default:
        return trace::GPU_WORK_UNSPECIFIED;
    }
}

trace::CollectiveKind
CollectiveOf(InstructionKind kind)
{
    switch (kind)
    {
    case InstructionKind::ReduceScatter:
        return trace::COLLECTIVE_KIND_REDUCE_SCATTER;
    case InstructionKind::AllGather:
        return trace::COLLECTIVE_KIND_ALL_GATHER;
    case InstructionKind::Pull:
        return trace::COLLECTIVE_KIND_PULL;
    case InstructionKind::Push:
        return trace::COLLECTIVE_KIND_PUSH;
    case InstructionKind::AllToAll:
        return trace::COLLECTIVE_KIND_ALL_TO_ALL;
    default:
        return trace::COLLECTIVE_KIND_ALL_REDUCE;
    }
}

std::uint64_t
ByteCount(Bytes size)
{
    return static_cast<std::uint64_t>(size.Count());
}

} // namespace

trace::Counters
CountersOf(const NetworkCounters& carried)
{
    trace::Counters counters;
    counters.set_wan_payload_bytes(ByteCount(carried.wanPayload));
    counters.set_intra_dc_payload_bytes(ByteCount(carried.intraDcPayload));
    counters.set_wan_wire_bytes(ByteCount(carried.wanWireBytes));
    counters.set_retransmitted_bytes(ByteCount(carried.retransmittedBytes));
    counters.set_wan_packets(carried.wanPackets);
    counters.set_intra_dc_packets(carried.intraDcPackets);
    counters.set_dropped_packets(carried.droppedPackets);
    counters.set_lost_packets(carried.lostPackets);
    return counters;
}

TraceRecorder::TraceRecorder(RecordSink& writer,
                             Network& network,
                             RecordedNodes nodes,
                             std::optional<CrossingTimes> crossings)
    : m_writer(writer),
      m_network(network),
      m_nodes(std::move(nodes)),
      m_crossings(std::move(crossings))
{
}

void
TraceRecorder::InstructionEnded(WorkerIndex worker,
                                std::uint32_t iteration,
                                const Instruction& instruction,
                                Instant start,
                                Instant end)
{
    if (!IsCompute(instruction.kind))
    {
        return;
    }
    trace::Record record;
    auto& span = *record.mutable_gpu_span();
    span.set_worker(worker);
    span.set_iteration(iteration);
    span.set_kind(WorkOf(instruction.kind));
    span.set_stage(instruction.stage);
    span.set_microbatch(instruction.microbatch);
    span.set_start_ns(start.ToNanoseconds());
    span.set_end_ns(end.ToNanoseconds());
    m_writer.Write(record);
}

void
TraceRecorder::MessageDelivered(const Message& message, const MessageTimes& times)
{
    trace::Record record;
    auto& span = *record.mutable_message_span();
    span.set_number(message.number);
    span.set_iteration(message.iteration);
    span.set_sender(message.sender);
    span.set_receiver(message.receiver);
    span.set_source(m_nodes.inTestbed.at(message.source));
    span.set_destination(m_nodes.inTestbed.at(message.destination));
    span.set_payload(message.payload == Payload::Activation ? trace::PAYLOAD_ACTIVATION
                                                            : trace::PAYLOAD_GRADIENT);
    span.set_stage(message.stage);
    span.set_microbatch(message.microbatch);
    span.set_bytes(ByteCount(message.size));
    span.set_crosses_wan(m_nodes.dataCenter.at(message.source) !=
                         m_nodes.dataCenter.at(message.destination));
    span.set_queued_ns(times.queued.ToNanoseconds());
    span.set_send_start_ns(times.sendStart.ToNanoseconds());
    span.set_first_byte_ns(times.firstByte.ToNanoseconds());
    span.set_sent_ns(times.sent.ToNanoseconds());
    span.set_delivered_ns(times.delivered.ToNanoseconds());
    if (span.crosses_wan() && m_crossings)
    {
        const auto crossing = m_crossings->Of(message);
        span.set_propagation_ns(crossing.propagation.ToNanoseconds());
        span.set_serialisation_ns(crossing.serialisation.ToNanoseconds());
        span.set_window_ns(crossing.window.ToNanoseconds());
    }
    m_writer.Write(record);
}

void
TraceRecorder::CollectiveEnded(WorkerIndex worker,
                               std::uint32_t iteration,
                               const Instruction& instruction,
                               Instant joined,
                               Instant ended)
{
    trace::Record record;
    auto& span = *record.mutable_collective_span();
    span.set_worker(worker);
    span.set_iteration(iteration);
    span.set_kind(CollectiveOf(instruction.kind));
    span.set_stage(instruction.stage);
    span.set_joined_ns(joined.ToNanoseconds());
    span.set_ended_ns(ended.ToNanoseconds());
    span.set_bytes(ByteCount(instruction.size));
    span.set_group(instruction.group + 1);
    m_writer.Write(record);
}

void
TraceRecorder::IterationEnded(std::uint32_t iteration, Instant end)
{
    const auto carried = m_change ? m_change(m_network.Counters()) : m_network.Counters();
    trace::Record record;
    *record.mutable_counters() = CountersOf(carried);
    record.mutable_counters()->set_time_ns(end.ToNanoseconds());
    record.mutable_counters()->set_iteration(iteration);
    m_writer.Write(record);
}

void
TraceRecorder::SetCounters(std::function<NetworkCounters(NetworkCounters)> change)
{
    m_change = std::move(change);
}

} // namespace geotrain
