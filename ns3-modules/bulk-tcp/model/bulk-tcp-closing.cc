// SPDX-License-Identifier: GPL-2.0-only
#include "bulk-tcp/model/bulk-tcp-closing.h"

#include "bulk-tcp/model/log-line.h"

#include <algorithm>

namespace ns3
{

namespace
{

const LogComponent closingLog("BulkTcpClosing", __FILE__);

constexpr std::int64_t timeWaitNs = 60000000000;      ///< Linux's TCP_TIMEWAIT_LEN
constexpr std::int64_t maxFinTimeoutNs = 60000000000; ///< RFC 6298, 2.5
constexpr std::int64_t firstTimeoutNs = 1000000000;   ///< RFC 6298, 2.1
constexpr std::uint32_t maxFinRetries = 8;            ///< Linux's tcp_orphan_retries

} // namespace

BulkTcpClosing::BulkTcpClosing(TracedValue<TcpSocket::TcpStates_t>& state,
                               BulkSender& sender,
                               geotrain::Duration minRto,
                               BulkTcpClosingActions& actions)
    : m_state(state),
      m_sender(sender),
      m_minRtoNs(minRto.ToNanoseconds()),
      m_actions(actions),
      m_timer([this] { OnTimer(); })
{
}

void
BulkTcpClosing::Begin()
{
    m_hasBegun = true;
}

bool
BulkTcpClosing::HasBegun() const
{
    return m_hasBegun;
}

void
BulkTcpClosing::SendFinBehind(std::uint64_t end)
{
    const bool isOpen = m_state == TcpSocket::ESTABLISHED || m_state == TcpSocket::CLOSE_WAIT;
    if (!m_hasBegun || !isOpen || m_sender.HighTx() < end)
    {
        return;
    }
    m_state = m_state == TcpSocket::ESTABLISHED ? TcpSocket::FIN_WAIT_1 : TcpSocket::LAST_ACK;
    m_hasSentFin = true;
    m_actions.SendFin();
    AwaitAck();
}

bool
BulkTcpClosing::HasSentFin() const
{
    return m_hasSentFin;
}

void
BulkTcpClosing::AwaitAck()
{
    const std::int64_t rtt = m_sender.SmoothedRtt().GetNanoSeconds();
    const std::int64_t timeout = rtt > 0 ? std::max(2 * rtt, m_minRtoNs) : firstTimeoutNs;
    m_timer.Set(NowNs() + std::min(timeout << m_retries, maxFinTimeoutNs));
}

void
BulkTcpClosing::AwaitOldSegments()
{
    m_state = TcpSocket::TIME_WAIT;
    m_timer.Set(NowNs() + timeWaitNs);
}

void
BulkTcpClosing::OnTimer()
{
    if (m_state == TcpSocket::TIME_WAIT)
    {
        m_actions.BecomeClosed();
    }
    else if (m_sender.Outstanding()) // sent again by the engine; the FIN waits its turn
    {
        AwaitAck();
    }
    else if (++m_retries > maxFinRetries)
    {
        m_sender.Abort();
    }
    else
    {
        LogLine(closingLog, LOG_INFO, "sends its FIN again, retry ", m_retries);
        m_actions.SendFin();
        AwaitAck();
    }
}

void
BulkTcpClosing::OnFinAcked()
{
    if (m_state == TcpSocket::FIN_WAIT_1)
    {
        m_timer.Stop();
        m_state = TcpSocket::FIN_WAIT_2;
    }
    else if (m_state == TcpSocket::CLOSING)
    {
        AwaitOldSegments();
    }
    else if (m_state == TcpSocket::LAST_ACK)
    {
        m_actions.BecomeClosed();
    }
}

void
BulkTcpClosing::OnPeerFin()
{
    if (m_state == TcpSocket::ESTABLISHED)
    {
        m_state = TcpSocket::CLOSE_WAIT;
    }
    else if (m_state == TcpSocket::FIN_WAIT_1)
    {
        m_state = TcpSocket::CLOSING;
    }
    else
    {
        AwaitOldSegments();
    }
}

void
BulkTcpClosing::Stop()
{
    m_timer.Stop();
}

} // namespace ns3
