// SPDX-License-Identifier: GPL-2.0-only
#include "execution/node-view.h"

#include <set>
#include <stdexcept>
#include <utility>

namespace geotrain
{

NodeView::NodeView(Network& shared,
                   std::vector<NodeIndex> nodes,
                   std::vector<std::uint32_t> dataCenters,
                   std::vector<OwnerIndex> owners)
    : m_shared(shared),
      m_nodes(std::move(nodes)),
      m_dataCenters(std::move(dataCenters)),
      m_owners(std::move(owners))
{
    if (m_dataCenters.size() != m_nodes.size())
    {
        throw std::invalid_argument("a node of a job is in no data centre");
    }
    if (std::set<NodeIndex>(m_nodes.begin(), m_nodes.end()).size() < m_nodes.size())
    {
        throw std::invalid_argument("a job has a node of the network twice");
    }
}

const NetworkKind&
NodeView::Kind() const
{
    return m_shared.Kind();
}

Clock&
NodeView::GetClock()
{
    return m_shared.GetClock();
}

std::uint32_t
NodeView::ConnectionsBetween(NodeIndex source, NodeIndex destination) const
{
    return m_shared.ConnectionsBetween(m_nodes.at(source), m_nodes.at(destination));
}

TransferNumber
NodeView::Transfer(const TransferRequest& request, TransferCallback callback)
{
    TransferRequest mapped = request;
    mapped.source = m_nodes.at(request.source);
    mapped.destination = m_nodes.at(request.destination);
    mapped.owner = m_owners.at(request.owner);
    const bool isLocal = m_dataCenters[request.source] == m_dataCenters[request.destination];
    Bytes& carried = isLocal ? m_intraDcPayload : m_wanPayload;
    return m_shared.Transfer(
        mapped,
        [&carried, size = request.size, callback = std::move(callback)](const TransferEvent& event)
        {
            carried += event.kind == TransferEvent::Kind::Delivered ? size : Bytes();
            callback(event);
        });
}

void
NodeView::Cancel(TransferNumber transfer)
{
    m_shared.Cancel(transfer);
}

void
NodeView::Prepare(const std::vector<WarmUp>& pairs)
{
    std::vector<WarmUp> mapped = pairs;
    for (WarmUp& pair : mapped)
    {
        pair.source = m_nodes.at(pair.source);
        pair.destination = m_nodes.at(pair.destination);
        pair.owner = m_owners.at(pair.owner);
    }
    m_shared.Prepare(mapped);
}

NetworkCounters
NodeView::Counters() const
{
    NetworkCounters counters = m_shared.Counters();
    counters.wanPayload = m_wanPayload;
    counters.intraDcPayload = m_intraDcPayload;
    return counters;
}

bool
NodeView::SpreadsMessages(NodeIndex source, NodeIndex destination) const
{
    return m_shared.SpreadsMessages(m_nodes.at(source), m_nodes.at(destination));
}

Bytes
NodeView::PartSize(NodeIndex source, NodeIndex relay, NodeIndex destination, Bytes size) const
{
    return m_shared.PartSize(m_nodes.at(source), m_nodes.at(relay), m_nodes.at(destination), size);
}

Bytes
NodeView::LeastChunk(NodeIndex source, NodeIndex destination) const
{
    return m_shared.LeastChunk(m_nodes.at(source), m_nodes.at(destination));
}

} // namespace geotrain
