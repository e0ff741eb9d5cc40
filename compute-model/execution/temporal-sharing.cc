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

/// A part of a message that crosses the WAN as one, on the node pair of its lane.
struct TemporalSharing::Chunk
{
    std::uint32_t lane = 0; ///< position in the cell, of the sending and of the receiving node
    Bytes size;
    bool atPeer = false;
};

/// A message on its way through scatter, WAN and gather.
struct TemporalSharing::Crossing
{
    Message message;
    Callback callback;
    MessageTimes times;
    TurnQueue* queue = nullptr;
    std::vector<Chunk> chunks;
    std::size_t chunksToSend = 0;
    std::size_t chunksToGather = 0;
    bool hasTurn = false;
    bool firstByteSeen = false;
    bool failed = false;
};

struct TemporalSharing::TurnQueue
{
    std::deque<CrossingPointer> waiting;
    CrossingPointer holder;
    bool turnScheduled = false;
    std::optional<std::uint32_t> lastPipeline;
    Instant lastEnd;
};

TemporalSharing::TemporalSharing(Network& network, CellLayout layout, Duration passLatency)
    : m_network(network),
      m_layout(std::move(layout)),
      m_passLatency(passLatency),
      m_spatial(network)
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
                nodes.insert(m_layout.nodeOfWorker[first + lane * m_layout.stages + stage]);
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

TemporalSharing::~TemporalSharing() = default;

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

void
TemporalSharing::Send(const Message& message, Callback callback)
{
    const auto from = m_layout.dataCenterOfNode[message.source];
    const auto to = m_layout.dataCenterOfNode[message.destination];
    if (from == to)
    {
        m_spatial.Send(message, std::move(callback));
        return;
    }
    const std::uint32_t cell = PipelineOf(message.sender) / m_layout.cellSize;
    auto& queue = m_queues[{cell, from, to}];
    if (!queue)
    {
        queue = std::make_unique<TurnQueue>();
    }
    const auto crossing = MakeCrossing(message, std::move(callback));
    crossing->queue = queue.get();
    Scatter(crossing);
    Enqueue(*queue, crossing);
}

/// As it is over the first lane that isn't the message's own.
Bytes
TemporalSharing::PartOf(const Message& message) const
{
    const std::uint32_t lane = PipelineOf(message.sender) % m_layout.cellSize == 0 ? 1 : 0;
    if (m_layout.cellSize == 1)
    {
        return m_network.ChunkSize();
    }
    const std::int64_t share = (message.size.Count() + m_layout.cellSize - 1) / m_layout.cellSize;
    return m_network.PartSize(message.source,
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
    crossing->times.queued = m_network.GetClock().Now();
    const auto sizes = SplitEvenly(message.size, PartOf(message), m_layout.cellSize);
    for (std::size_t chunk = 0; chunk < sizes.size(); ++chunk)
    {
        crossing->chunks.push_back(
            {static_cast<std::uint32_t>(chunk % m_layout.cellSize), sizes[chunk], false});
    }
    crossing->chunksToSend = sizes.size();
    crossing->chunksToGather = sizes.size();
    return crossing;
}

void
TemporalSharing::Scatter(const CrossingPointer& crossing)
{
    for (std::size_t chunk = 0; chunk < crossing->chunks.size(); ++chunk)
    {
        const NodeIndex peer = PeerNode(crossing->message.sender, crossing->chunks[chunk].lane);
        if (peer == crossing->message.source)
        {
            crossing->chunks[chunk].atPeer = true;
            continue;
        }
        m_network.SendStriped(crossing->message.source,
                              peer,
                              crossing->chunks[chunk].size,
                              [this, crossing, chunk](const TransferEvent& event)
                              {
                                  if (event.kind == TransferEvent::Kind::Delivered)
                                  {
                                      OnChunkAtPeer(crossing, chunk);
                                  }
                                  else if (event.kind == TransferEvent::Kind::Failed)
                                  {
                                      Fail(crossing, event.reason);
                                  }
                              });
    }
}

void
TemporalSharing::Enqueue(TurnQueue& queue, const CrossingPointer& crossing)
{
    // Messages come in the order of their ready times; those of one instant stand by pipeline.
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
    if (queue.holder || queue.turnScheduled || queue.waiting.empty())
    {
        return;
    }
    // By way of an event, even if the turn is free now: others may become ready at this instant.
    queue.turnScheduled = true;
    m_network.GetClock().Schedule(NextTurn(queue), [this, &queue] { GiveTurn(queue); });
}

Instant
TemporalSharing::NextTurn(const TurnQueue& queue) const
{
    const Instant now = m_network.GetClock().Now();
    const std::uint32_t next = PipelineOf(queue.waiting.front()->message.sender);
    const bool passes = queue.lastPipeline && *queue.lastPipeline != next;
    return passes ? std::max(now, queue.lastEnd + m_passLatency) : now;
}

void
TemporalSharing::GiveTurn(TurnQueue& queue)
{
    queue.turnScheduled = false;
    if (NextTurn(queue) > m_network.GetClock().Now())
    {
        ScheduleTurn(queue); // another pipeline has come to the front
        return;
    }
    queue.holder = queue.waiting.front();
    queue.waiting.pop_front();
    const CrossingPointer holder = queue.holder;
    holder->hasTurn = true;
    holder->times.sendStart = m_network.GetClock().Now();
    for (std::size_t chunk = 0; chunk < holder->chunks.size(); ++chunk)
    {
        if (holder->chunks[chunk].atPeer)
        {
            SendOverWan(holder, chunk);
        }
    }
}

void
TemporalSharing::OnChunkAtPeer(const CrossingPointer& crossing, std::size_t chunk)
{
    crossing->chunks[chunk].atPeer = true;
    if (crossing->hasTurn)
    {
        SendOverWan(crossing, chunk);
    }
}

void
TemporalSharing::SendOverWan(const CrossingPointer& crossing, std::size_t chunk)
{
    const Message& message = crossing->message;
    const std::uint32_t lane = crossing->chunks[chunk].lane;
    m_network.SendStriped(PeerNode(message.sender, lane),
                          PeerNode(message.receiver, lane),
                          crossing->chunks[chunk].size,
                          [this, crossing, chunk](const TransferEvent& event)
                          { OnWanEvent(crossing, chunk, event); });
}

void
TemporalSharing::OnWanEvent(const CrossingPointer& crossing,
                            std::size_t chunk,
                            const TransferEvent& event)
{
    switch (event.kind)
    {
    case TransferEvent::Kind::FirstByte:
        if (!crossing->firstByteSeen)
        {
            crossing->firstByteSeen = true;
            crossing->times.firstByte = event.at;
        }
        break;
    case TransferEvent::Kind::Sent:
        if (--crossing->chunksToSend == 0)
        {
            crossing->times.sent = event.at;
            PassTurn(*crossing->queue, event.at);
        }
        break;
    case TransferEvent::Kind::Delivered:
        Gather(crossing, chunk);
        break;
    case TransferEvent::Kind::Failed:
        Fail(crossing, event.reason);
        break;
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

void
TemporalSharing::Gather(const CrossingPointer& crossing, std::size_t chunk)
{
    const Message& message = crossing->message;
    const NodeIndex peer = PeerNode(message.receiver, crossing->chunks[chunk].lane);
    if (peer == message.destination)
    {
        OnChunkGathered(crossing, m_network.GetClock().Now());
        return;
    }
    m_network.SendStriped(peer,
                          message.destination,
                          crossing->chunks[chunk].size,
                          [this, crossing](const TransferEvent& event)
                          {
                              if (event.kind == TransferEvent::Kind::Delivered)
                              {
                                  OnChunkGathered(crossing, event.at);
                              }
                              else if (event.kind == TransferEvent::Kind::Failed)
                              {
                                  Fail(crossing, event.reason);
                              }
                          });
}

void
TemporalSharing::OnChunkGathered(const CrossingPointer& crossing, Instant at)
{
    if (--crossing->chunksToGather == 0 && !crossing->failed)
    {
        crossing->times.delivered = at;
        crossing->callback(crossing->times, {});
    }
}

void
TemporalSharing::Fail(const CrossingPointer& crossing, const std::string& reason)
{
    if (!crossing->failed)
    {
        crossing->failed = true;
        crossing->callback(crossing->times, reason);
    }
}

} // namespace geotrain
