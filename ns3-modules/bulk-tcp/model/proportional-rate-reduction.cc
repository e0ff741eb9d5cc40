// SPDX-License-Identifier: GPL-2.0-only
#include "bulk-tcp/model/proportional-rate-reduction.h"

#include <algorithm>
#include <string>

namespace ns3
{

TypeId
ProportionalRateReduction::GetTypeId()
{
    static TypeId id = TypeId("geotrain::ProportionalRateReduction")
                           .SetParent<TcpRecoveryOps>()
                           .SetGroupName("BulkTcp")
                           .AddConstructor<ProportionalRateReduction>();
    return id;
}

std::string
ProportionalRateReduction::GetName() const
{
    return "ProportionalRateReduction";
}

void
ProportionalRateReduction::EnterRecovery(Ptr<TcpSocketState> tcb,
                                         uint32_t /*dupAckCount*/,
                                         uint32_t unAckDataCount,
                                         uint32_t deliveredBytes)
{
    m_out = 0;
    m_delivered = 0;
    m_flightSize = std::max<std::int64_t>(unAckDataCount, 1);
    DoRecovery(tcb, deliveredBytes);
}

void
ProportionalRateReduction::DoRecovery(Ptr<TcpSocketState> tcb, uint32_t deliveredBytes)
{
    m_delivered += deliveredBytes;
    const std::int64_t pipe = tcb->m_bytesInFlight.Get();
    const std::int64_t threshold = tcb->m_ssThresh.Get();
    const std::int64_t segment = tcb->m_segmentSize;
    std::int64_t send = 0;
    if (pipe > threshold)
    {
        const std::int64_t bytes = (m_delivered * threshold + m_flightSize - 1) / m_flightSize;
        send = (bytes + segment - 1) / segment * segment - m_out; // Linux counts segments
    }
    else
    {
        const std::int64_t limit =
            std::max<std::int64_t>(m_delivered - m_out, deliveredBytes) + (m_isSafe ? segment : 0);
        send = std::min(threshold - pipe, limit);
    }
    // At least the fast retransmission.
    send = std::max<std::int64_t>(send, m_out > 0 ? 0 : segment);
    tcb->m_cWnd = static_cast<uint32_t>(pipe + send);
    tcb->m_cWndInfl = tcb->m_cWnd;
}

void
ProportionalRateReduction::ExitRecovery(Ptr<TcpSocketState> tcb)
{
    tcb->m_cWndInfl = tcb->m_cWnd.Get();
}

void
ProportionalRateReduction::UpdateBytesSent(uint32_t bytesSent)
{
    m_out += bytesSent;
}

Ptr<TcpRecoveryOps>
ProportionalRateReduction::Fork()
{
    return CopyObject<ProportionalRateReduction>(this);
}

} // namespace ns3
