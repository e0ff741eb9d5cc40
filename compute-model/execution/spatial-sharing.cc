// SPDX-License-Identifier: GPL-2.0-only
#include "execution/spatial-sharing.h"

#include <utility>

namespace geotrain
{

SpatialSharing::SpatialSharing(MessageLayer& layer)
    : m_layer(layer)
{
}

SpatialSharing::~SpatialSharing()
{
    for (const Handle message : m_inFlight.Handles())
    {
        Cancel(message);
    }
}

MessageCarrier::Handle
SpatialSharing::Send(const Message& message, Callback callback)
{
    InFlight inFlight;
    inFlight.times.queued = m_layer.GetClock().Now();
    inFlight.times.sendStart = inFlight.times.queued;
    inFlight.callback = std::move(callback);
    const Handle handle = m_inFlight.Add(std::move(inFlight));
    m_inFlight.Find(handle)->message =
        m_layer.Send(message.source,
                     message.destination,
                     message.size,
                     [this, handle](const TransferEvent& event) { OnEvent(handle, event); });
    return handle;
}

void
SpatialSharing::Cancel(Handle message)
{
    if (m_inFlight.Find(message) != nullptr)
    {
        m_layer.Cancel(m_inFlight.Take(message).message);
    }
}

void
SpatialSharing::OnEvent(Handle handle, const TransferEvent& event)
{
    MessageTimes& times = m_inFlight.Find(handle)->times;
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
    const InFlight ended = m_inFlight.Take(handle);
    ended.callback(ended.times, event.reason);
}

} // namespace geotrain
