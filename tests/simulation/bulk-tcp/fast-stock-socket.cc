// SPDX-License-Identifier: GPL-2.0-only
#include "fast-stock-socket.h"

#include <ns3/node.h>
#include <ns3/rtt-estimator.h>
#include <ns3/tcp-congestion-ops.h>
#include <ns3/tcp-l4-protocol.h>
#include <ns3/tcp-prr-recovery.h>
#include <ns3/tcp-tx-buffer.h>

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(FastStockSocket);

TypeId
FastStockSocket::GetTypeId()
{
    static TypeId id = TypeId("geotrain::FastStockSocket")
                           .SetParent<TcpSocketBase>()
                           .AddConstructor<FastStockSocket>();
    return id;
}

Ptr<FastStockSocket>
FastStockSocket::Create(Ptr<Node> node)
{
    const Ptr<TcpL4Protocol> tcp = node->GetObject<TcpL4Protocol>();
    const Ptr<FastStockSocket> socket = CreateObject<FastStockSocket>();
    socket->SetNode(node);
    socket->SetTcp(tcp);
    socket->SetRtt(CreateObject<RttMeanDeviation>());
    socket->SetRecoveryAlgorithm(CreateObject<TcpPrrRecovery>());
    tcp->AddSocket(socket);
    return socket;
}

uint32_t
FastStockSocket::AvailableWindow() const
{
    const uint32_t window = TcpSocketBase::AvailableWindow();
    if (NeedsScan())
    {
        return window;
    }
    const_cast<FastStockSocket*>(this)->SendNew(
        window); // const in ns-3, though only its sending loop asks
    return 0;
}

bool
FastStockSocket::NeedsScan() const
{
    return m_state != ESTABLISHED || m_tcb->m_congState != TcpSocketState::CA_OPEN ||
           m_txBuffer->GetLost() + m_txBuffer->GetSacked() + m_txBuffer->GetRetransmitsCount() > 0;
}

void
FastStockSocket::SendNew(uint32_t window)
{
    while (window > 0 && !(IsPacingEnabled() && m_pacingTimer.IsRunning()) && SendOne(window))
    {
        window = TcpSocketBase::AvailableWindow();
    }
}

/// Does NextSeg's second rule and the loop's body. Returns false where the loop ends.
bool
FastStockSocket::SendOne(uint32_t window)
{
    const uint32_t sent = m_txBuffer->BytesInFlight(); // all of it: nothing is lost or SACKed
    const SequenceNumber32 next = m_txBuffer->HeadSequence() + sent;
    const uint32_t unsent = m_txBuffer->SizeFromSequence(next);
    if (unsent == 0 || sent > m_rWnd)
    {
        return false;
    }
    if (unsent < window)
    {
        NotifySend(GetTxAvailable());
    }
    const uint32_t segment = m_tcb->m_segmentSize;
    const bool silly = window < segment && unsent > window;
    const bool nagle = !m_noDelay && UnAckDataCount() > 0 && unsent < segment;
    if (silly || nagle)
    {
        return false;
    }
    m_tcb->m_nextTxSequence = next;
    if (m_tcb->m_bytesInFlight.Get() == 0)
    {
        m_congestionControl->CwndEvent(m_tcb, TcpSocketState::CA_EVENT_TX_START);
    }
    const uint32_t size =
        SendDataPacket(next, std::min({window, segment, m_rWnd.Get() - sent}), m_connected);
    m_tcb->m_nextTxSequence += size;
    if (IsPacingEnabled() &&
        m_pacingTimer.IsExpired()) // the first segment after the unpaced initial window
    {
        m_pacingTimer.Schedule(m_tcb->m_pacingRate.Get().CalculateBytesTxTime(size));
        return false;
    }
    return true;
}

} // namespace ns3
