// SPDX-License-Identifier: GPL-2.0-only
#include "execution/temporal-sharing.h"

#include "execution/striping.h"

#include <algorithm>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

namespace geotrain
{

/// A Part is a piece of a message that crosses the WAN on the node pair of its lane.
struct TemporalSharing::Part
{
    std::uint32_t lane = 0; ///< position in the cell, of the sending and of the receiving node
    Bytes size;
    bool atPeer = false;    ///< it may cross the WAN as soon as its message has the turn
    MessageHandle inFlight; ///< message of the leg that it is on
};

/// A Crossing is a message on its way through scatter, WAN and gather.
struct TemporalSharing::Crossing
{
    Handle handle = 0;
    Message message;
    Callback callback;
    MessageTimes times;
    TurnQueue* queue = nullptr;
    std::vector<Part> parts;
    std::size_t partsToSend = 0;
    std::size_t partsToGather = 0;
    bool hasTurn = false;
    bool firstByteSeen = false;
};

/// A TurnQueue holds the turns of one cell from one data centre to another.
struct TemporalSharing::TurnQueue
{
    std::deque<CrossingPointer> waiting;
    CrossingPointer holder;
    std::optional<Clock::EventNumber> turn; ///< event that gives the next turn, where scheduled
    std::optional<std::uint32_t> lastPipeline;
    Instant lastEnd;
};

TemporalSharing::TemporalSharing(MessageLayer& layer, CellLayout layout, Duration passLatency)
    : m_layer(layer),
      m_layout(std::move(layout)),
      m_passLatency(passLatency),
      m_spatial(layer)
{
    CheckCells();
}

TemporalSharing::~TemporalSharing()
{
    for (const Handle handle : m_crossings.Handles())
    {
        Leave(handle);
    }
    for (const auto& [cell, queue] : m_queues)
    {
        if (queue->turn)
        {
            m_layer.GetClock().Cancel(*queue->turn);
        }
    }
}

void
TemporalSharing::CheckCells() const
{
    const auto workers = static_cast<std::uint32_t>(m_layout.nodeOfWorker.size());
    const std::uint32_t cellWorkers = m_layout.stages * m_layout.cellSize;
    if (cellWorkers == 0 || workers % cellWorkers != 0)
    {
        throw std::invalid_argument("the cell size must divide the number of pipelines");
    }
    for (WorkerIndex first = 0; first < workers; first += cellWorkers)
    {
        for (std::uint32_t stage = 0; stage < m_layout.stages; ++stage)
        {
            std::set<NodeIndex> nodes;
            for (std::uint32_t lane = 0; lane < m_layout.cellSize; ++lane)
            {
                nodes.insert(PeerNode(first + stage, lane));
            }
            if (nodes.size() < m_layout.cellSize)
            {
                throw std::invalid_argument("stage " + std::to_string(stage) +
                                            " of a DP-cell has its " +
                                            std::to_string(m_layout.cellSize) + " pipelines on " +
                                            std::to_string(nodes.size()) +
                                            " nodes: temporal sharing needs a node for each");
            }
        }
    }
}

std::uint32_t
TemporalSharing::PipelineOf(WorkerIndex worker) const
{
    return worker / m_layout.stages;
}

NodeIndex
TemporalSharing::PeerNode(WorkerIndex worker, std::uint32_t lane) const
{
    const std::uint32_t cell = PipelineOf(worker) / m_layout.cellSize;
    const std::uint32_t pipeline = cell * m_layout.cellSize + lane;
    return m_layout.nodeOfWorker[pipeline * m_layout.stages + worker % m_layout.stages];
}

MessageCarrier::Handle
TemporalSharing::Send(const Message& message, Callback callback)
{
    const auto from = m_layout.dataCenterOfNode[message.source];
    const auto to = m_layout.dataCenterOfNode[message.destination];
    if (from == to)
    {
        return 2 * m_spatial.Send(message, std::move(callback)); // the others' handles are odd
    }
    const std::uint32_t cell = PipelineOf(message.sender) / m_layout.cellSize;
    auto& queue = m_queues[{cell, from, to}];
    if (!queue)
    {
        queue = std::make_unique<TurnQueue>();
    }
    const auto crossing = MakeCrossing(message, std::move(callback));
    crossing->queue = queue.get();
    crossing->handle = m_crossings.Add(crossing);
    for (std::size_t part = 0; part < crossing->parts.size(); ++part)
    {
        StartLeg(crossing, part, Leg::Scatter);
    }
    Enqueue(*queue, crossing);
    return 2 * crossing->handle + 1;
}

void
TemporalSharing::Cancel(Handle message)
{
    if (message % 2 == 0)
    {
        m_spatial.Cancel(message / 2);
    }
    else if (m_crossings.Find(message / 2) != nullptr)
    {
        Leave(message / 2);
    }
}

/// Returns the size of the parts, as it is over the first lane that isn't the message's own.
Bytes
TemporalSharing::PartSizeOf(const Message& message) const
{
    const std::uint32_t lane = PipelineOf(message.sender) % m_layout.cellSize == 0 ? 1 : 0;
    if (m_layout.cellSize == 1)
    {
        return m_layer.Settings().chunkSize;
    }
    const std::int64_t share = (message.size.Count() + m_layout.cellSize - 1) / m_layout.cellSize;
    return m_layer.PartSize(message.source,
                            PeerNode(message.sender, lane),
                            PeerNode(message.receiver, lane),
                            Bytes::Of(share));
}

TemporalSharing::CrossingPointer
TemporalSharing::MakeCrossing(const Message& message, Callback callback) const
{
    auto crossing = std::make_shared<Crossing>();
    crossing->message = message;
    crossing->callback = std::move(callback);
    crossing->times.queued = m_layer.GetClock().Now();
    const auto sizes = SplitEvenly(message.size, PartSizeOf(message), m_layout.cellSize);
    for (std::size_t part = 0; part < sizes.size(); ++part)
    {
        const auto lane = static_cast<std::uint32_t>(part % m_layout.cellSize);
        crossing->parts.push_back({lane, sizes[part], false, {}});
    }
    crossing->partsToSend = sizes.size();
    crossing->partsToGather = sizes.size();
    return crossing;
}

/// Starts a leg. One from a node to itself takes no time and is no message.
void
TemporalSharing::StartLeg(const CrossingPointer& crossing, std::size_t part, Leg leg)
{
    const Message& message = crossing->message;
    const std::uint32_t lane = crossing->parts[part].lane;
    const NodeIndex near = PeerNode(message.sender, lane);
    const NodeIndex far = PeerNode(message.receiver, lane);
    const NodeIndex from = leg == Leg::Scatter ? message.source : leg == Leg::Wan ? near : far;
    const NodeIndex to = leg == Leg::Scatter ? near : leg == Leg::Wan ? far : message.destination;
    if (from == to)
    {
        EndLeg(crossing, part, leg);
        return;
    }
    crossing->parts[part].inFlight =
        m_layer.Send(from,
                     to,
                     crossing->parts[part].size,
                     [this, crossing, part, leg](const TransferEvent& event)
                     { OnEvent(crossing, part, leg, event); });
}

void
TemporalSharing::OnEvent(const CrossingPointer& crossing,
                         std::size_t part,
                         Leg leg,
                         const TransferEvent& event)
{
    if (event.kind == TransferEvent::Kind::Failed)
    {
        const Callback callback = Leave(crossing->handle);
        callback(crossing->times, event.reason);
    }
    else if (event.kind == TransferEvent::Kind::Delivered)
    {
        EndLeg(crossing, part, leg);
    }
    else if (leg == Leg::Wan)
    {
        OnWanEvent(*crossing, event);
    }
}

void
TemporalSharing::OnWanEvent(Crossing& crossing, const TransferEvent& event)
{
    if (event.kind == TransferEvent::Kind::FirstByte && !crossing.firstByteSeen)
    {
        crossing.firstByteSeen = true;
        crossing.times.firstByte = event.at;
    }
    if (event.kind == TransferEvent::Kind::Sent && --crossing.partsToSend == 0)
    {
        crossing.times.sent = event.at;
        PassTurn(*crossing.queue, event.at);
    }
}

void
TemporalSharing::EndLeg(const CrossingPointer& crossing, std::size_t part, Leg leg)
{
    switch (leg)
    {
    case Leg::Scatter:
        crossing->parts[part].atPeer = true;
        if (crossing->hasTurn)
        {
            StartLeg(crossing, part, Leg::Wan);
        }
        break;
    case Leg::Wan:
        StartLeg(crossing, part, Leg::Gather);
        break;
    case Leg::Gather:
        if (--crossing->partsToGather == 0)
        {
            crossing->times.delivered = m_layer.GetClock().Now();
            const Callback callback = Leave(crossing->handle);
            callback(crossing->times, {});
        }
        break;
    }
}

void
TemporalSharing::Enqueue(TurnQueue& queue, const CrossingPointer& crossing)
{
    // Messages come in the order of their ready times; those of one instant are sorted by pipeline.
    const auto later = [this](const CrossingPointer& a, const CrossingPointer& b)
    {
        return std::make_tuple(a->times.queued.ToNanoseconds(), PipelineOf(a->message.sender)) <
               std::make_tuple(b->times.queued.ToNanoseconds(), PipelineOf(b->message.sender));
    };
    queue.waiting.insert(
        std::upper_bound(queue.waiting.begin(), queue.waiting.end(), crossing, later), crossing);
    ScheduleTurn(queue);
}

void
TemporalSharing::ScheduleTurn(TurnQueue& queue)
{
    if (queue.holder || queue.turn || queue.waiting.empty())
    {
        return;
    }
    // An event gives the turn even if it is free now: others may become ready at this instant.
    queue.turn = m_layer.GetClock().Schedule(NextTurn(queue), [this, &queue] { GiveTurn(queue); });
}

Instant
TemporalSharing::NextTurn(const TurnQueue& queue) const
{
    const Instant now = m_layer.GetClock().Now();
    const std::uint32_t next = PipelineOf(queue.waiting.front()->message.sender);
    const bool passes = queue.lastPipeline && *queue.lastPipeline != next;
    return passes ? std::max(now, queue.lastEnd + m_passLatency) : now;
}

void
TemporalSharing::GiveTurn(TurnQueue& queue)
{
    queue.turn.reset();
    const Instant now = m_layer.GetClock().Now();
    if (queue.waiting.empty() || NextTurn(queue) > now)
    {
        // Another pipeline has come to the front, or the last one was cancelled.
        ScheduleTurn(queue);
        return;
    }
    queue.holder = queue.waiting.front();
    queue.waiting.pop_front();
    const CrossingPointer holder = queue.holder;
    holder->hasTurn = true;
    holder->times.sendStart = now;
    for (std::size_t part = 0; part < holder->parts.size(); ++part)
    {
        if (holder->parts[part].atPeer)
        {
            StartLeg(holder, part, Leg::Wan);
        }
    }
}

void
TemporalSharing::PassTurn(TurnQueue& queue, Instant at)
{
    queue.lastPipeline = PipelineOf(queue.holder->message.sender);
    queue.lastEnd = at;
    queue.holder.reset();
    ScheduleTurn(queue);
}

/// Removes a message from wherever it is on its way, and returns its callback.
MessageCarrier::Callback
TemporalSharing::Leave(Handle handle)
{
    const CrossingPointer crossing = m_crossings.Take(handle);
    TurnQueue& queue = *crossing->queue;
    const auto waiting = std::find(queue.waiting.begin(), queue.waiting.end(), crossing);
    if (waiting != queue.waiting.end())
    {
        queue.waiting.erase(waiting);
    }
    for (const Part& part : crossing->parts)
    {
        m_layer.Cancel(part.inFlight);
    }
    if (queue.holder == crossing)
    {
        PassTurn(queue, m_layer.GetClock().Now());
    }
    return std::move(crossing->callback);
}

} // namespace geotrain
