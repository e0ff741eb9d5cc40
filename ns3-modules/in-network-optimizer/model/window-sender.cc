// SPDX-License-Identifier: GPL-2.0-only
#include "in-network-optimizer/model/window-sender.h"

#include <ns3/abort.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace ns3
{

using geotrain::Bytes;

WindowSender::WindowSender(const geotrain::AggregationSettings& settings,
                           const StreamPort& port,
                           const PayloadValues& values)
    : m_settings(settings),
      m_port(port),
      m_values(values),
      m_timer([this] { GoBack(); })
{
    port.pacer.Join(*this);
}

WindowSender::~WindowSender() = default;

void
WindowSender::Append(Bytes length, std::function<void()> done)
{
    NS_ABORT_MSG_IF(length.Count() <= 0, "a request has at least a byte");
    const std::int64_t packets = m_settings.PacketsIn(length);
    m_end += packets;
    m_requests.push_back({m_end,
                          length - m_settings.payload * (packets - 1),
                          m_port.pacer.NextTurn(),
                          std::move(done)});
    m_port.pacer.SendAll();
}

void
WindowSender::OnHeartbeat(const geotrain::Heartbeat& heartbeat)
{
    m_creditEnd = std::max(m_creditEnd, heartbeat.creditEnd);
    if (heartbeat.ack > m_ack)
    {
        TakeAck(heartbeat.ack);
    }
    m_port.pacer.SendAll();
    AwaitAck();
}

void
WindowSender::TakeAck(std::int64_t ack)
{
    NS_ABORT_MSG_IF(ack > m_sentEnd, "packet " << ack - 1 << " was acknowledged but never sent");
    m_ack = ack;
    m_lastRiseNs = NowNs();
    m_timeoutsInRow = 0;
    m_timer.Stop();
    std::vector<std::function<void()>> done; // called when all is in order: they may append
    while (!m_requests.empty() && m_requests.front().end <= ack)
    {
        done.push_back(std::move(m_requests.front().done));
        m_requests.pop_front();
        m_cursor -= m_cursor > 0 ? 1 : 0;
    }
    if (ack > m_next) // it passes the place that a timeout went back to
    {
        m_next = ack;
        m_cursor = 0;
    }
    for (const std::function<void()>& call : done)
    {
        if (call)
        {
            call();
        }
    }
}

bool
WindowSender::MaySend() const
{
    return m_next < std::min(m_creditEnd, m_end) && !m_hasFailed;
}

std::uint64_t
WindowSender::Turn() const
{
    return m_requests[m_cursor].turn;
}

void
WindowSender::SendNext()
{
    const Request& request = m_requests[m_cursor];
    const bool isLast = m_next + 1 == request.end;
    const Bytes length = isLast ? request.lastLength : m_settings.payload;
    PacketRecord record = MakeAggregationPacket(
        m_port.address, PacketRecord::Kind::Data, (length + m_settings.header).Count());
    record.offset = static_cast<std::uint64_t>(m_next);
    record.length = static_cast<std::uint32_t>(length.Count());
    record.aggregation.lanes = m_values.At(m_next);
    m_cursor += isLast ? 1 : 0;
    ++m_counters.packets;
    m_counters.payloadBytes += length.Count();
    m_counters.resentPackets += m_next < m_sentEnd ? 1 : 0;
    ++m_next;
    m_sentEnd = std::max(m_sentEnd, m_next);
    m_port.pacer.Send(NowNs(), record.wireSize);
    m_port.out.Receive(record);
    AwaitAck();
}

void
WindowSender::AwaitAck()
{
    if (m_ack == m_next || m_hasFailed || m_timer.IsSet())
    {
        return;
    }
    m_lastRiseNs = NowNs();
    m_timer.Set(m_lastRiseNs + m_settings.timeout.ToNanoseconds());
}

void
WindowSender::GoBack()
{
    ++m_counters.timeouts;
    m_counters.stalledNs += NowNs() - m_lastRiseNs;
    if (++m_timeoutsInRow > m_settings.retries)
    {
        m_hasFailed = true;
        return;
    }
    m_next = m_ack;
    m_cursor = 0;
    m_port.pacer.SendAll();
}

std::int64_t
WindowSender::Acknowledged() const
{
    return m_ack;
}

bool
WindowSender::HasWork() const
{
    return m_ack < m_end;
}

bool
WindowSender::HasFailed() const
{
    return m_hasFailed;
}

const WindowSender::Counters&
WindowSender::GetCounters() const
{
    return m_counters;
}

} // namespace ns3
