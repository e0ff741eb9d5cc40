// SPDX-License-Identifier: GPL-2.0-only
// How the socket's connection ends: FINs with retransmission, the states of RFC 9293 (section 3.6),
// TIME-WAIT.
#include "bulk-tcp/model/bulk-tcp-socket.h"

#include "bulk-tcp/model/log-line.h"

#include <ns3/simulator.h>

#include <algorithm>

namespace ns3
{

namespace
{

const LogComponent socketLog("BulkTcpSocket", __FILE__);

constexpr std::int64_t timeWaitNs = 60000000000;      ///< Linux's TCP_TIMEWAIT_LEN
constexpr std::int64_t maxFinTimeoutNs = 60000000000; ///< RFC 6298, 2.5
constexpr std::int64_t firstTimeoutNs = 1000000000;   ///< RFC 6298, 2.1
constexpr std::uint32_t maxFinRetries = 8;            ///< Linux's tcp_orphan_retries

} // namespace

int
BulkTcpSocket::ShutdownRecv()
{
    m_discards = true;
    while (Recv(UINT32_MAX, 0) && m_received.Unread() > 0)
    {
    }
    return 0;
}

int
BulkTcpSocket::ShutdownSend()
{
    if (!m_sender)
    {
        return Fail(ERROR_NOTCONN);
    }
    CloseSending();
    return 0;
}

int
BulkTcpSocket::Close()
{
    ShutdownRecv();
    if (m_sender && m_state != TcpSocket::SYN_SENT)
    {
        CloseSending();
    }
    else
    {
        BecomeClosed();
    }
    return 0;
}

void
BulkTcpSocket::CloseSending()
{
    m_closing = true;
    SendFinWhenDone();
}

void
BulkTcpSocket::SendFinWhenDone()
{
    const bool open = m_state == TcpSocket::ESTABLISHED || m_state == TcpSocket::CLOSE_WAIT;
    if (!m_closing || !open || m_sender->HighTx() < m_toSend.End())
    {
        return;
    }
    m_state = m_state == TcpSocket::ESTABLISHED ? TcpSocket::FIN_WAIT_1 : TcpSocket::LAST_ACK;
    m_finSent = true;
    SendFin();
    AwaitFinAck();
}

void
BulkTcpSocket::AwaitFinAck()
{
    const std::int64_t rtt = m_sender->SmoothedRtt().GetNanoSeconds();
    const std::int64_t timeout =
        rtt > 0 ? std::max(2 * rtt, m_options.minRto.ToNanoseconds()) : firstTimeoutNs;
    m_timer.Set(NowNs() + std::min(timeout << m_finRetries, maxFinTimeoutNs));
}

void
BulkTcpSocket::OnTimer()
{
    if (m_state == TcpSocket::TIME_WAIT)
    {
        BecomeClosed();
    }
    else if (m_sender->Outstanding()) // sent again by the engine; the FIN waits its turn
    {
        AwaitFinAck();
    }
    else if (++m_finRetries > maxFinRetries)
    {
        m_sender->Abort();
    }
    else
    {
        SendFin();
        AwaitFinAck();
    }
}

void
BulkTcpSocket::OnFinAcked()
{
    if (m_state == TcpSocket::FIN_WAIT_1)
    {
        m_timer.Stop();
        m_state = TcpSocket::FIN_WAIT_2;
    }
    else if (m_state == TcpSocket::CLOSING)
    {
        m_state = TcpSocket::TIME_WAIT;
        m_timer.Set(NowNs() + timeWaitNs);
    }
    else if (m_state == TcpSocket::LAST_ACK)
    {
        BecomeClosed();
    }
}

void
BulkTcpSocket::OnFin(std::uint64_t offset)
{
    m_peerEnd = offset;
    m_codec->OnPeerFin(offset);
    m_receiver->Acknowledge();
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
        m_state = TcpSocket::TIME_WAIT;
        m_timer.Set(NowNs() + timeWaitNs);
    }
    NotifyNormalClose();
    SendFinWhenDone();
}

void
BulkTcpSocket::BecomeClosed()
{
    LogLine(socketLog,
            LOG_INFO,
            m_connection.address,
            ":",
            m_connection.port,
            " closes from ",
            TcpSocket::TcpStateName[m_state]);
    m_state = TcpSocket::CLOSED;
    m_timer.Stop();
    if (m_sender && !m_sender->Failed())
    {
        m_sender->Abort();
    }
    // The end point may be the one that is calling.
    Simulator::ScheduleNow(&BulkTcpSocket::ReleaseEndPoint, Ptr<BulkTcpSocket>(this));
}

} // namespace ns3
