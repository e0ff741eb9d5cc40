#include "execution/spatial-sharing.h"

#include <utility>

namespace geotrain
{

SpatialSharing::SpatialSharing(Network& network)
    : m_network(network)
{
}

void
SpatialSharing::Send(const Message& message, Callback callback)
{
    if (m_freeSlots.empty())
    {
        m_freeSlots.push_back(static_cast<std::uint32_t>(m_inFlight.size()));
        m_inFlight.emplace_back();
    }
    const std::uint32_t slot = m_freeSlots.back();
    m_freeSlots.pop_back();
    m_inFlight[slot].times = {};
    m_inFlight[slot].times.queued = m_network.GetClock().Now();
    m_inFlight[slot].times.sendStart = m_inFlight[slot].times.queued;
    m_inFlight[slot].callback = std::move(callback);
    m_network.SendStriped(message.source,
                          message.destination,
                          message.size,
                          [this, slot](const TransferEvent& event) { OnEvent(slot, event); });
}

void
SpatialSharing::OnEvent(std::uint32_t slot, const TransferEvent& event)
{
    MessageTimes& times = m_inFlight[slot].times;
    switch (event.kind)
    {
    case TransferEvent::Kind::FirstByte:
        times.firstByte = event.at;
        return;
    case TransferEvent::Kind::Sent:
        times.sent = event.at;
        return;
    case TransferEvent::Kind::Delivered:
        times.delivered = event.at;
        break;
    case TransferEvent::Kind::Failed:
        break;
    }
    const InFlight ended = std::move(m_inFlight[slot]);
    // The slot of a failed message is not used again: events of its other chunks may still come.
    if (event.kind == TransferEvent::Kind::Delivered)
    {
        m_freeSlots.push_back(slot);
    }
    ended.callback(ended.times, event.reason);
}

} // namespace geotrain
