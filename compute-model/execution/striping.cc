// SPDX-License-Identifier: GPL-2.0-only
#include "execution/striping.h"

#include <algorithm>
#include <utility>

namespace geotrain
{

EvenParts::EvenParts(Bytes size, Bytes limit, std::uint32_t multiple)
{
    const std::int64_t bytes = size.Count();
    const std::int64_t unit = limit.Count() * multiple;
    m_count = std::max<std::int64_t>(1, (bytes + unit - 1) / unit) * multiple;
    m_count = std::max<std::int64_t>(1, std::min(m_count, bytes));
    m_base = bytes / m_count;
    m_longer = bytes % m_count;
}

std::int64_t
EvenParts::Count() const
{
    return m_count;
}

Bytes
EvenParts::At(std::int64_t number) const
{
    return Bytes::Of(m_base + (number < m_longer ? 1 : 0));
}

std::vector<Bytes>
SplitEvenly(Bytes size, Bytes limit, std::uint32_t multiple)
{
    const EvenParts parts(size, limit, multiple);
    std::vector<Bytes> sizes;
    sizes.reserve(static_cast<std::size_t>(parts.Count()));
    for (std::int64_t part = 0; part < parts.Count(); ++part)
    {
        sizes.push_back(parts.At(part));
    }
    return sizes;
}

Striping::Striping(Network& network,
                   NodeIndex source,
                   NodeIndex destination,
                   std::uint32_t connections,
                   OwnerIndex owner)
    : m_network(network),
      m_source(source),
      m_destination(destination),
      m_owner(owner),
      m_leastChunk(network.LeastChunk(source, destination))
{
    for (std::uint32_t place = 0; place < connections; ++place)
    {
        m_freePlaces.push_back(place);
    }
}

Striping::~Striping()
{
    m_waiting.clear();
    for (const Handle message : m_messages.Handles())
    {
        for (const ChunkInFlight& chunk : m_messages.Find(message)->inFlight)
        {
            m_network.Cancel(chunk.transfer);
        }
    }
}

Striping::Handle
Striping::Send(Bytes size, Bytes chunk, TransferCallback callback)
{
    // A message may have far more chunks than memory has room for, so that none is made in advance.
    const EvenParts chunks(size, std::max(chunk, m_leastChunk), 1);
    StripedMessage message;
    message.callback = std::move(callback);
    message.chunksToSend = static_cast<std::uint64_t>(chunks.Count());
    message.chunksToDeliver = message.chunksToSend;
    const Handle handle = m_messages.Add(std::move(message));
    m_waiting.push_back({handle, chunks, 0});
    GiveChunks();
    return handle;
}

void
Striping::Cancel(Handle message)
{
    if (m_messages.Find(message) != nullptr)
    {
        Drop(message);
    }
}

void
Striping::SetChunkCallback(ChunkCallback callback)
{
    m_chunkCallback = std::move(callback);
}

void
Striping::UseConnectionsFrom(std::uint32_t first)
{
    m_first = first;
}

void
Striping::GiveChunks()
{
    while (!m_waiting.empty() && !m_freePlaces.empty())
    {
        WaitingMessage& first = m_waiting.front();
        const Handle handle = first.message;
        const Bytes size = first.chunks.At(first.next);
        if (++first.next == first.chunks.Count())
        {
            m_waiting.pop_front();
        }
        const std::uint32_t place = m_freePlaces.front();
        m_freePlaces.pop_front();
        const TransferNumber transfer = m_network.Transfer(
            {m_source, m_destination, m_first + place, size, {}, m_owner},
            [this, handle](const TransferEvent& event) { OnChunkEvent(handle, event); });
        m_messages.Find(handle)->inFlight.push_back({transfer, place, size, false});
    }
}

void
Striping::OnChunkEvent(Handle handle, const TransferEvent& event)
{
    StripedMessage& message = *m_messages.Find(handle);
    switch (event.kind)
    {
    case TransferEvent::Kind::FirstByte:
        if (!message.firstByteSeen)
        {
            message.firstByteSeen = true;
            Tell(handle, event);
        }
        break;
    case TransferEvent::Kind::Sent:
        OnChunkSent(message, event);
        if (message.chunksToSend == 0)
        {
            Tell(handle, event);
        }
        break;
    case TransferEvent::Kind::Delivered:
        if (OnChunkDelivered(message, event))
        {
            const TransferCallback callback = m_messages.Take(handle).callback;
            callback(event);
        }
        break;
    case TransferEvent::Kind::Failed:
        const TransferCallback callback = Drop(handle);
        callback(event);
        break;
    }
}

void
Striping::OnChunkSent(StripedMessage& message, const TransferEvent& event)
{
    --message.chunksToSend;
    const auto chunk = std::find_if(message.inFlight.begin(),
                                    message.inFlight.end(),
                                    [&event](const ChunkInFlight& other)
                                    { return other.transfer == event.transfer; });
    chunk->isSent = true;
    m_freePlaces.push_back(chunk->place);
    GiveChunks();
}

/// Notes the chunk. Returns whether it was the message's last.
bool
Striping::OnChunkDelivered(StripedMessage& message, const TransferEvent& event)
{
    const auto found = std::find_if(message.inFlight.begin(),
                                    message.inFlight.end(),
                                    [&event](const ChunkInFlight& other)
                                    { return other.transfer == event.transfer; });
    const ChunkInFlight chunk = *found;
    message.inFlight.erase(found);
    if (m_chunkCallback)
    {
        m_chunkCallback(chunk.place, chunk.size);
    }
    return --message.chunksToDeliver == 0;
}

/// Calls the message's callback, which may cancel the message or send others.
void
Striping::Tell(Handle handle, const TransferEvent& event)
{
    const TransferCallback callback = m_messages.Find(handle)->callback;
    callback(event);
}

/// Removes a message, gives its connections to others, and returns its callback.
TransferCallback
Striping::Drop(Handle handle)
{
    StripedMessage message = m_messages.Take(handle);
    m_waiting.erase(std::remove_if(m_waiting.begin(),
                                   m_waiting.end(),
                                   [handle](const WaitingMessage& waiting)
                                   { return waiting.message == handle; }),
                    m_waiting.end());
    for (const ChunkInFlight& chunk : message.inFlight)
    {
        m_network.Cancel(chunk.transfer);
        if (!chunk.isSent)
        {
            m_freePlaces.push_back(chunk.place);
        }
    }
    GiveChunks();
    return std::move(message.callback);
}

} // namespace geotrain
