#include "execution/striping.h"

#include <algorithm>

namespace geotrain
{

std::vector<Bytes>
SplitEvenly(Bytes size, Bytes limit, std::uint32_t multiple)
{
    const std::int64_t bytes = size.Count();
    const std::int64_t unit = limit.Count() * multiple;
    std::int64_t parts = std::max<std::int64_t>(1, (bytes + unit - 1) / unit) * multiple;
    parts = std::max<std::int64_t>(1, std::min(parts, bytes));
    std::vector<Bytes> sizes;
    sizes.reserve(static_cast<std::size_t>(parts));
    const std::int64_t base = bytes / parts;
    const std::int64_t longer = bytes % parts;
    for (std::int64_t part = 0; part < parts; ++part)
    {
        sizes.push_back(Bytes::Of(base + (part < longer ? 1 : 0)));
    }
    return sizes;
}

Striping::Striping(Network& network)
    : m_network(network)
{
}

Striping::~Striping() = default;

void
Striping::Send(NodeIndex source, NodeIndex destination, Bytes size, TransferCallback callback)
{
    if (source == destination)
    {
        SendInsideNode(size, std::move(callback));
        return;
    }
    Pair& pair = PairOf(source, destination);
    const auto sizes = SplitEvenly(size, m_network.ChunkSize(), 1);
    auto message = std::make_shared<StripedMessage>();
    message->callback = std::move(callback);
    message->chunksToSend = sizes.size();
    message->chunksToDeliver = sizes.size();
    for (const Bytes chunk : sizes)
    {
        pair.waiting.push_back({message, chunk});
    }
    GiveChunks(pair);
}

void
Striping::SendInsideNode(Bytes size, TransferCallback callback)
{
    Clock& clock = m_network.GetClock();
    const Instant end = clock.Now() + m_network.NodeLocalRate().TransmissionTime(size);
    clock.Schedule(end,
                   [callback = std::move(callback), end]
                   {
                       for (const auto kind : {TransferEvent::Kind::FirstByte,
                                               TransferEvent::Kind::Sent,
                                               TransferEvent::Kind::Delivered})
                       {
                           callback({kind, 0, end, {}});
                       }
                   });
}

Striping::Pair&
Striping::PairOf(NodeIndex source, NodeIndex destination)
{
    auto& pair = m_pairs[{source, destination}];
    if (!pair)
    {
        pair = std::make_unique<Pair>();
        pair->source = source;
        pair->destination = destination;
        const auto connections = m_network.ConnectionsBetween(source, destination);
        for (std::uint32_t connection = 0; connection < connections; ++connection)
        {
            pair->freeConnections.push_back(connection);
        }
    }
    return *pair;
}

void
Striping::GiveChunks(Pair& pair)
{
    while (!pair.waiting.empty() && !pair.freeConnections.empty())
    {
        Chunk chunk = std::move(pair.waiting.front());
        pair.waiting.pop_front();
        const auto connection = pair.freeConnections.front();
        pair.freeConnections.pop_front();
        m_network.Transfer({pair.source, pair.destination, connection, chunk.size},
                           [this, &pair, connection, message = std::move(chunk.message)](
                               const TransferEvent& event)
                           { OnChunkEvent(pair, connection, *message, event); });
    }
}

void
Striping::OnChunkEvent(Pair& pair,
                       std::uint32_t connection,
                       StripedMessage& message,
                       const TransferEvent& event)
{
    bool tell = false;
    switch (event.kind)
    {
    case TransferEvent::Kind::FirstByte:
        tell = !message.firstByteSeen;
        message.firstByteSeen = true;
        break;
    case TransferEvent::Kind::Sent:
        tell = --message.chunksToSend == 0;
        pair.freeConnections.push_back(connection);
        GiveChunks(pair);
        break;
    case TransferEvent::Kind::Delivered:
        tell = --message.chunksToDeliver == 0;
        break;
    case TransferEvent::Kind::Failed:
        tell = !message.failed;
        message.failed = true;
        break;
    }
    if (tell && (!message.failed || event.kind == TransferEvent::Kind::Failed))
    {
        message.callback(event);
    }
}

} // namespace geotrain
