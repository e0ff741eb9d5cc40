#include "runner/message-series.h"

#include "execution/striping.h"
#include "metrics/statistics.h"

#include <utility>

namespace geotrain
{

MessageSeries::MessageSeries(Network& network,
                             const MessageSeriesSettings& settings,
                             MessageCallback callback)
    : m_network(network),
      m_settings(settings),
      m_callback(std::move(callback)),
      m_delivered(settings.connections, 0)
{
    for (std::uint32_t place = 0; place < settings.connections; ++place)
    {
        m_free.push_back(place);
    }
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
    m_message.start = m_network.GetClock().Now();
    m_firstByteSeen = false;
    m_messageBytes.assign(m_settings.connections, 0);
    const Bytes chunk = m_settings.connections == 1 ? m_settings.size : m_settings.chunk;
    for (const Bytes size : SplitEvenly(m_settings.size, chunk, 1))
    {
        m_waiting.push_back(size);
    }
    m_unsent = m_waiting.size();
    m_undelivered = m_waiting.size();
    GiveChunks();
}

void
MessageSeries::GiveChunks()
{
    const std::uint32_t first = m_settings.cold ? m_messages * m_settings.connections : 0;
    while (!m_waiting.empty() && !m_free.empty())
    {
        const Bytes chunk = m_waiting.front();
        m_waiting.pop_front();
        const std::uint32_t place = m_free.front();
        m_free.pop_front();
        m_network.Transfer({m_settings.source, m_settings.destination, first + place, chunk},
                           [this, place, chunk](const TransferEvent& event)
                           { OnEvent(place, chunk, event); });
    }
}

void
MessageSeries::OnEvent(std::uint32_t place, Bytes chunk, const TransferEvent& event)
{
    switch (event.kind)
    {
    case TransferEvent::Kind::FirstByte:
        m_message.firstByte = m_firstByteSeen ? m_message.firstByte : event.at;
        m_firstByteSeen = true;
        break;
    case TransferEvent::Kind::Sent:
        if (--m_unsent == 0)
        {
            m_message.sent = event.at;
        }
        m_free.push_back(place);
        GiveChunks();
        break;
    case TransferEvent::Kind::Delivered:
        OnDelivered(place, chunk, event.at);
        break;
    case TransferEvent::Kind::Failed:
        m_failure = event.reason;
        m_network.GetClock().Stop();
        break;
    }
}

void
MessageSeries::OnDelivered(std::uint32_t place, Bytes chunk, Instant at)
{
    m_delivered[place] += static_cast<double>(chunk.Count());
    m_messageBytes[place] += static_cast<double>(chunk.Count());
    if (--m_undelivered == 0)
    {
        m_message.delivered = at;
        EndMessage();
    }
}

void
MessageSeries::EndMessage()
{
    m_message.fairness = JainFairness(m_messageBytes);
    ++m_messages;
    if (m_settings.messages == 0 || m_messages < m_settings.messages)
    {
        m_network.GetClock().Schedule(m_message.delivered + m_settings.gap,
                                      [this] { StartMessage(); });
    }
    if (m_callback)
    {
        m_callback(m_message);
    }
}

} // namespace geotrain
