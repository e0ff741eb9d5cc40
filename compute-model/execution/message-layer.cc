// SPDX-License-Identifier: GPL-2.0-only
#include "execution/message-layer.h"

#include <algorithm>

namespace geotrain
{

MessageLayer::MessageLayer(Network& network, const MessageLayerSettings& settings)
    : m_network(network),
      m_clock(network.GetClock()),
      m_settings(settings)
{
}

MessageLayer::~MessageLayer()
{
    for (const auto handle : m_sendings.Handles())
    {
        Cancel(MessageHandle{handle});
    }
}

Network&
MessageLayer::GetNetwork() const
{
    return m_network;
}

Clock&
MessageLayer::GetClock() const
{
    return m_clock;
}

const MessageLayerSettings&
MessageLayer::Settings() const
{
    return m_settings;
}

MessageHandle
MessageLayer::Send(NodeIndex source, NodeIndex destination, Bytes size, TransferCallback callback)
{
    Sending sending;
    sending.callback = std::move(callback);
    const auto handle = m_sendings.Add(std::move(sending));
    if (source == destination)
    {
        Copy(handle, size);
        return {handle};
    }
    const auto listener = [this, handle](const TransferEvent& event) { OnEvent(handle, event); };
    Sending& added = *m_sendings.Find(handle);
    if (m_network.SpreadsMessages(source, destination))
    {
        added.transfer = m_network.Transfer(
            {source, destination, everyConnection, size, m_settings.chunkSize, m_settings.owner},
            listener);
    }
    else
    {
        added.striping = &StripingOf(source, destination);
        added.striped = added.striping->Send(size, m_settings.chunkSize, listener);
    }
    return {handle};
}

void
MessageLayer::Copy(std::uint64_t handle, Bytes size)
{
    const Instant end = m_clock.Now() + m_settings.nodeLocalRate.TransmissionTime(size);
    m_sendings.Find(handle)->copyEnd =
        m_clock.Schedule(end,
                         [this, handle, end]
                         {
                             for (const auto kind : {TransferEvent::Kind::FirstByte,
                                                     TransferEvent::Kind::Sent,
                                                     TransferEvent::Kind::Delivered})
                             {
                                 OnEvent(handle, {kind, 0, end, {}});
                             }
                         });
}

Striping&
MessageLayer::StripingOf(NodeIndex source, NodeIndex destination)
{
    auto& striping = m_stripings[{source, destination}];
    if (!striping)
    {
        const auto connections = m_network.ConnectionsBetween(source, destination);
        striping = std::make_unique<Striping>(
            m_network, source, destination, connections, m_settings.owner);
    }
    return *striping;
}

void
MessageLayer::OnEvent(std::uint64_t handle, const TransferEvent& event)
{
    Sending* sending = m_sendings.Find(handle);
    if (sending == nullptr)
    {
        return; // cancelled by its own callback, in the event of a copy
    }
    const bool isEnd =
        event.kind == TransferEvent::Kind::Delivered || event.kind == TransferEvent::Kind::Failed;
    if (isEnd)
    {
        const TransferCallback callback = m_sendings.Take(handle).callback;
        callback(event);
        return;
    }
    // The callback may cancel the message that it belongs to.
    TransferCallback callback = std::move(sending->callback);
    callback(event);
    if (Sending* left = m_sendings.Find(handle))
    {
        left->callback = std::move(callback);
    }
}

void
MessageLayer::Cancel(MessageHandle message)
{
    if (m_sendings.Find(message.number) == nullptr)
    {
        return;
    }
    const Sending sending = m_sendings.Take(message.number);
    if (sending.striping != nullptr)
    {
        sending.striping->Cancel(sending.striped);
    }
    else if (sending.transfer > 0)
    {
        m_network.Cancel(sending.transfer);
    }
    else
    {
        m_clock.Cancel(sending.copyEnd);
    }
}

Bytes
MessageLayer::PartSize(NodeIndex source, NodeIndex relay, NodeIndex destination, Bytes size) const
{
    return std::max(m_settings.chunkSize, m_network.PartSize(source, relay, destination, size));
}

} // namespace geotrain
