// SPDX-License-Identifier: GPL-2.0-only
#include "runner/message-series.h"

#include "metrics/statistics.h"

#include <utility>

namespace geotrain
{

MessageSeries::MessageSeries(Network& network,
                             const MessageSeriesSettings& settings,
                             MessageCallback callback)
    : m_clock(network.GetClock()),
      m_striping(network, settings.source, settings.destination, settings.connections),
      m_settings(settings),
      m_callback(std::move(callback)),
      m_delivered(settings.connections, 0)
{
    m_striping.SetChunkCallback([this](std::uint32_t place, Bytes chunk)
                                { OnChunkDelivered(place, chunk); });
}

void
MessageSeries::Begin()
{
    StartMessage();
}

std::uint32_t
MessageSeries::DeliveredMessages() const
{
    return m_messages;
}

const std::vector<double>&
MessageSeries::DeliveredBytes() const
{
    return m_delivered;
}

const std::string&
MessageSeries::Failure() const
{
    return m_failure;
}

void
MessageSeries::StartMessage()
{
    m_message = {};
    m_message.number = m_messages + 1;
    m_message.size = m_settings.size;
    m_message.start = m_clock.Now();
    m_messageBytes.assign(m_settings.connections, 0);
    if (m_settings.cold)
    {
        m_striping.UseConnectionsFrom(m_messages * m_settings.connections);
    }
    const Bytes chunk = m_settings.connections == 1 ? m_settings.size : m_settings.chunk;
    m_striping.Send(m_settings.size, chunk, [this](const TransferEvent& event) { OnEvent(event); });
}

void
MessageSeries::OnChunkDelivered(std::uint32_t place, Bytes chunk)
{
    m_delivered[place] += static_cast<double>(chunk.Count());
    m_messageBytes[place] += static_cast<double>(chunk.Count());
}

void
MessageSeries::OnEvent(const TransferEvent& event)
{
    switch (event.kind)
    {
    case TransferEvent::Kind::FirstByte:
        m_message.firstByte = event.at;
        break;
    case TransferEvent::Kind::Sent:
        m_message.sent = event.at;
        break;
    case TransferEvent::Kind::Delivered:
        m_message.delivered = event.at;
        EndMessage();
        break;
    case TransferEvent::Kind::Failed:
        m_failure = event.reason;
        break;
    }
}

void
MessageSeries::EndMessage()
{
    m_message.fairness = JainFairness(m_messageBytes);
    ++m_messages;
    if (m_settings.messages == 0 || m_messages < m_settings.messages)
    {
        m_clock.Schedule(m_message.delivered + m_settings.gap, [this] { StartMessage(); });
    }
    if (m_callback)
    {
        m_callback(m_message);
    }
}

} // namespace geotrain
