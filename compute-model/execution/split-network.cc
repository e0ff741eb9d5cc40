// SPDX-License-Identifier: GPL-2.0-only
// Numbers of transfers inside a data centre have their top bit set, so that they differ from the other
// network's, which count from 1.
#include "execution/split-network.h"

#include <utility>

namespace geotrain
{

namespace
{

constexpr TransferNumber insideBit = TransferNumber{1} << 63;

} // namespace

SplitNetwork::SplitNetwork(Network& between, std::unique_ptr<Network> inside, IsInside isInside)
    : m_between(between),
      m_inside(std::move(inside)),
      m_isInside(std::move(isInside))
{
}

Network&
SplitNetwork::Of(NodeIndex source, NodeIndex destination) const
{
    return m_isInside(source, destination) ? *m_inside : m_between;
}

const NetworkKind&
SplitNetwork::Kind() const
{
    return m_between.Kind();
}

Clock&
SplitNetwork::GetClock()
{
    return m_between.GetClock();
}

std::uint32_t
SplitNetwork::ConnectionsBetween(NodeIndex source, NodeIndex destination) const
{
    return Of(source, destination).ConnectionsBetween(source, destination);
}

TransferNumber
SplitNetwork::Transfer(const TransferRequest& request, TransferCallback callback)
{
    if (!m_isInside(request.source, request.destination))
    {
        return m_between.Transfer(request, std::move(callback));
    }
    const auto numbered = [callback = std::move(callback)](TransferEvent event)
    {
        event.transfer |= insideBit;
        callback(event);
    };
    return m_inside->Transfer(request, numbered) | insideBit;
}

void
SplitNetwork::Cancel(TransferNumber transfer)
{
    if ((transfer & insideBit) != 0)
    {
        m_inside->Cancel(transfer & ~insideBit);
    }
    else
    {
        m_between.Cancel(transfer);
    }
}

void
SplitNetwork::Prepare(const std::vector<WarmUp>& pairs)
{
    std::vector<WarmUp> inside;
    std::vector<WarmUp> between;
    for (const WarmUp& pair : pairs)
    {
        (m_isInside(pair.source, pair.destination) ? inside : between).push_back(pair);
    }
    m_between.Prepare(between);
    m_inside->Prepare(inside);
}

NetworkCounters
SplitNetwork::Counters() const
{
    NetworkCounters sum = m_between.Counters();
    const NetworkCounters inside = m_inside->Counters();
    sum.intraDcPayload += inside.intraDcPayload;
    sum.retransmittedBytes += inside.retransmittedBytes;
    sum.withoutRoom += inside.withoutRoom;
    return sum;
}

bool
SplitNetwork::SpreadsMessages(NodeIndex source, NodeIndex destination) const
{
    return Of(source, destination).SpreadsMessages(source, destination);
}

Bytes
SplitNetwork::PartSize(NodeIndex source, NodeIndex relay, NodeIndex destination, Bytes size) const
{
    return Of(relay, destination).PartSize(source, relay, destination, size);
}

Bytes
SplitNetwork::LeastChunk(NodeIndex source, NodeIndex destination) const
{
    return Of(source, destination).LeastChunk(source, destination);
}

} // namespace geotrain
