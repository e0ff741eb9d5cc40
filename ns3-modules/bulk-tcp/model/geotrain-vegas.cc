// SPDX-License-Identifier: GPL-2.0-only
// ns-3's control has no way to forget its round trips, so that another one takes its place. This one
// itself measures nothing and is what the others are copied from.
#include "bulk-tcp/model/geotrain-vegas.h"

#include <algorithm>

namespace geotrain
{

NS_OBJECT_ENSURE_REGISTERED(TcpVegas);

ns3::TypeId
TcpVegas::GetTypeId()
{
    static ns3::TypeId id = ns3::TypeId("geotrain::TcpVegas")
                                .SetParent<ns3::TcpVegas>()
                                .SetGroupName("BulkTcp")
                                .AddConstructor<TcpVegas>();
    return id;
}

TcpVegas::TcpVegas(const TcpVegas& other)
    : ns3::TcpVegas(other),
      m_measuring(other.m_measuring ? ns3::CopyObject(other.m_measuring) : nullptr)
{
}

std::string
TcpVegas::GetName() const
{
    return "TcpVegas";
}

void
TcpVegas::Init(ns3::Ptr<ns3::TcpSocketState> /*tcb*/)
{
    m_measuring = ns3::CopyObject<ns3::TcpVegas>(this);
}

std::uint32_t
TcpVegas::GetSsThresh(ns3::Ptr<const ns3::TcpSocketState> tcb, std::uint32_t /*bytesInFlight*/)
{
    return std::max(tcb->m_cWnd.Get() / 2, 2 * tcb->m_segmentSize);
}

void
TcpVegas::PktsAcked(ns3::Ptr<ns3::TcpSocketState> tcb,
                    std::uint32_t segmentsAcked,
                    const ns3::Time& rtt)
{
    m_measuring->PktsAcked(tcb, segmentsAcked, rtt);
}

void
TcpVegas::CongestionStateSet(ns3::Ptr<ns3::TcpSocketState> tcb,
                             const ns3::TcpSocketState::TcpCongState_t newState)
{
    m_measuring->CongestionStateSet(tcb, newState);
}

void
TcpVegas::IncreaseWindow(ns3::Ptr<ns3::TcpSocketState> tcb, std::uint32_t segmentsAcked)
{
    m_measuring->IncreaseWindow(tcb, segmentsAcked);
}

void
TcpVegas::CwndEvent(ns3::Ptr<ns3::TcpSocketState> tcb, ns3::TcpSocketState::TcpCAEvent_t event)
{
    if (event == ns3::TcpSocketState::CA_EVENT_TX_START ||
        event == ns3::TcpSocketState::CA_EVENT_CWND_RESTART)
    {
        Init(tcb);
        CongestionStateSet(tcb, ns3::TcpSocketState::CA_OPEN); // the round trip begins here
    }
}

ns3::Ptr<ns3::TcpCongestionOps>
TcpVegas::Fork()
{
    return ns3::CopyObject<TcpVegas>(this);
}

} // namespace geotrain
