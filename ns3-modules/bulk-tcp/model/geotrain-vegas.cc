// SPDX-License-Identifier: GPL-2.0-only
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

std::string
TcpVegas::GetName() const
{
    return "TcpVegas";
}

std::uint32_t
TcpVegas::GetSsThresh(ns3::Ptr<const ns3::TcpSocketState> tcb, std::uint32_t bytesInFlight)
{
    return m_isIncreasing ? ns3::TcpVegas::GetSsThresh(tcb, bytesInFlight)
                          : std::max(tcb->m_cWnd.Get() / 2, 2 * tcb->m_segmentSize);
}

void
TcpVegas::IncreaseWindow(ns3::Ptr<ns3::TcpSocketState> tcb, std::uint32_t segmentsAcked)
{
    m_isIncreasing = true;
    ns3::TcpVegas::IncreaseWindow(tcb, segmentsAcked);
    m_isIncreasing = false;
}

ns3::Ptr<ns3::TcpCongestionOps>
TcpVegas::Fork()
{
    return ns3::CopyObject<TcpVegas>(this);
}

} // namespace geotrain
