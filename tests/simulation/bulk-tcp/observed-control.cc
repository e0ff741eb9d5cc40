// SPDX-License-Identifier: GPL-2.0-only
#include "observed-control.h"

#include <ns3/simulator.h>

namespace ns3
{

TypeId
ObservedControl::GetTypeId()
{
    static TypeId id = TypeId("geotrain::ObservedControl").SetParent<TcpCongestionOps>();
    return id;
}

ObservedControl::ObservedControl() = default;

ObservedControl::ObservedControl(const ObservedControl& other)
    : TcpCongestionOps(other),
      m_hosted(other.m_hosted->Fork())
{
}

void
ObservedControl::Host(Ptr<TcpCongestionOps> hosted, std::shared_ptr<Log> log)
{
    m_hosted = hosted;
    m_log = std::move(log);
}

std::uint64_t
ObservedControl::RoundsInAvoidance() const
{
    return m_rounds;
}

void
ObservedControl::Note(const TcpSocketState& tcb, const std::string& what) const
{
    if (m_log)
    {
        m_log->push_back({Simulator::Now().GetNanoSeconds(),
                          what,
                          tcb.m_cWnd,
                          tcb.m_ssThresh,
                          tcb.m_bytesInFlight,
                          tcb.m_lastRtt.Get().GetNanoSeconds(),
                          tcb.m_lastAckedSeq.GetValue(),
                          tcb.m_nextTxSequence.Get().GetValue()});
    }
}

std::string
ObservedControl::GetName() const
{
    return m_hosted->GetName();
}

void
ObservedControl::Init(Ptr<TcpSocketState> tcb)
{
    m_hosted->Init(tcb);
}

uint32_t
ObservedControl::GetSsThresh(Ptr<const TcpSocketState> tcb, uint32_t bytesInFlight)
{
    Note(*tcb, "GetSsThresh " + std::to_string(bytesInFlight));
    return m_hosted->GetSsThresh(tcb, bytesInFlight);
}

void
ObservedControl::IncreaseWindow(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked)
{
    Note(*tcb, "IncreaseWindow " + std::to_string(segmentsAcked));
    m_hosted->IncreaseWindow(tcb, segmentsAcked);
}

void
ObservedControl::PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked, const Time& rtt)
{
    Note(*tcb,
         "PktsAcked " + std::to_string(segmentsAcked) + " " + std::to_string(rtt.GetNanoSeconds()));
    if (tcb->m_lastAckedSeq >= m_roundEnd)
    {
        m_rounds += tcb->m_cWnd >= tcb->m_ssThresh ? 1 : 0;
        m_roundEnd = tcb->m_highTxMark;
    }
    m_hosted->PktsAcked(tcb, segmentsAcked, rtt);
}

void
ObservedControl::CongestionStateSet(Ptr<TcpSocketState> tcb,
                                    const TcpSocketState::TcpCongState_t newState)
{
    Note(*tcb, "CongestionStateSet " + std::to_string(newState));
    m_hosted->CongestionStateSet(tcb, newState);
}

void
ObservedControl::CwndEvent(Ptr<TcpSocketState> tcb, const TcpSocketState::TcpCAEvent_t event)
{
    Note(*tcb, "CwndEvent " + std::to_string(event));
    m_hosted->CwndEvent(tcb, event);
}

bool
ObservedControl::HasCongControl() const
{
    return m_hosted->HasCongControl();
}

void
ObservedControl::CongControl(Ptr<TcpSocketState> tcb,
                             const TcpRateOps::TcpRateConnection& rc,
                             const TcpRateOps::TcpRateSample& rs)
{
    Note(*tcb,
         "CongControl rate " + std::to_string(rs.m_deliveryRate.GetBitRate()) + " interval " +
             std::to_string(rs.m_interval.GetNanoSeconds()) + " delivered " +
             std::to_string(rs.m_delivered) + " prior " + std::to_string(rs.m_priorDelivered) +
             " in flight " + std::to_string(rs.m_priorInFlight) + " lost " +
             std::to_string(rs.m_bytesLoss) + " acked " + std::to_string(rs.m_ackedSacked) +
             " limited " + std::to_string(rs.m_isAppLimited) + " total " +
             std::to_string(rc.m_delivered) + " pacing " +
             std::to_string(tcb->m_pacingRate.Get().GetBitRate()));
    m_hosted->CongControl(tcb, rc, rs);
}

Ptr<TcpCongestionOps>
ObservedControl::Fork()
{
    return CopyObject<ObservedControl>(this);
}

std::ostream&
operator<<(std::ostream& out, const ObservedControl::Call& call)
{
    return out << call.ns << " " << call.what << " | cwnd " << call.cwnd << " ssthresh "
               << call.ssthresh << " in flight " << call.inFlight << " rtt " << call.rttNs
               << " acked " << call.ackedUpTo << " next " << call.nextTx;
}

} // namespace ns3
