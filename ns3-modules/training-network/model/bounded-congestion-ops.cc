// SPDX-License-Identifier: GPL-2.0-only
#include "training-network/model/bounded-congestion-ops.h"

#include <cstdint>
#include <string>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(BoundedCongestionOps);

TypeId
BoundedCongestionOps::GetTypeId()
{
    static TypeId tid = TypeId("geotrain::BoundedCongestionOps")
                            .SetParent<TcpCongestionOps>()
                            .SetGroupName("TrainingNetwork");
    return tid;
}

BoundedCongestionOps::BoundedCongestionOps(Ptr<TcpCongestionOps> hosted, std::uint32_t bound)
    : m_hosted(hosted),
      m_bound(bound)
{
}

BoundedCongestionOps::BoundedCongestionOps(const BoundedCongestionOps& other)
    : TcpCongestionOps(other),
      m_hosted(other.m_hosted->Fork()),
      m_bound(other.m_bound)
{
}

Ptr<TcpSocketState>
BoundedCongestionOps::State() const
{
    return m_state;
}

std::string
BoundedCongestionOps::GetName() const
{
    return m_hosted->GetName();
}

void
BoundedCongestionOps::Init(Ptr<TcpSocketState> tcb)
{
    m_state = tcb;
    m_hosted->Init(tcb);
}

std::uint32_t
BoundedCongestionOps::GetSsThresh(Ptr<const TcpSocketState> tcb, std::uint32_t bytesInFlight)
{
    return m_hosted->GetSsThresh(tcb, bytesInFlight);
}

void
BoundedCongestionOps::IncreaseWindow(Ptr<TcpSocketState> tcb, std::uint32_t segmentsAcked)
{
    m_hosted->IncreaseWindow(tcb, segmentsAcked);
    Bound(*tcb);
}

void
BoundedCongestionOps::PktsAcked(Ptr<TcpSocketState> tcb,
                                std::uint32_t segmentsAcked,
                                const Time& rtt)
{
    m_hosted->PktsAcked(tcb, segmentsAcked, rtt);
    Bound(*tcb);
}

void
BoundedCongestionOps::CongestionStateSet(Ptr<TcpSocketState> tcb,
                                         const TcpSocketState::TcpCongState_t newState)
{
    m_hosted->CongestionStateSet(tcb, newState);
    Bound(*tcb);
}

void
BoundedCongestionOps::CwndEvent(Ptr<TcpSocketState> tcb, const TcpSocketState::TcpCAEvent_t event)
{
    m_hosted->CwndEvent(tcb, event);
    Bound(*tcb);
}

bool
BoundedCongestionOps::HasCongControl() const
{
    return m_hosted->HasCongControl();
}

void
BoundedCongestionOps::CongControl(Ptr<TcpSocketState> tcb,
                                  const TcpRateOps::TcpRateConnection& rc,
                                  const TcpRateOps::TcpRateSample& rs)
{
    m_hosted->CongControl(tcb, rc, rs);
    Bound(*tcb);
}

Ptr<TcpCongestionOps>
BoundedCongestionOps::Fork()
{
    return CopyObject<BoundedCongestionOps>(this);
}

void
BoundedCongestionOps::Bound(TcpSocketState& tcb) const
{
    if (tcb.m_cWnd > m_bound)
    {
        tcb.m_cWnd = m_bound;
    }
}

} // namespace ns3
