// SPDX-License-Identifier: GPL-2.0-only
#include "express-path-helper.h"

#include "bulk-tcp/model/congestion-control-types.h"
#include "units/random-stream.h"

#include <algorithm>
#include <ns3/abort.h>

#include <string>

namespace ns3
{

void
TransferLog::OnDelivered(std::uint64_t message)
{
    delivered.push_back(message);
    deliveredNs.push_back(NowNs());
    if (whenDelivered)
    {
        whenDelivered(message);
    }
}

void
TransferLog::OnDrained(FlowNumber /*flow*/)
{
    drainedNs = NowNs();
}

void
TransferLog::OnFailed(FlowNumber /*flow*/, std::uint64_t message)
{
    failed.push_back(message);
}

void
ExpressPathHelper::AddLink(const LinkModel::Settings& forward, const LinkModel::Settings& backward)
{
    m_forwardSettings.push_back(forward);
    m_backwardSettings.push_back(backward);
}

void
ExpressPathHelper::AddLink(const LinkModel::Settings& both)
{
    LinkModel::Settings forward = both;
    LinkModel::Settings backward = both;
    forward.name += ">";
    backward.name += "<";
    AddLink(forward, backward);
}

void
ExpressPathHelper::PutBeforeForward(const MakeElement& make)
{
    m_make = make;
}

void
ExpressPathHelper::Build()
{
    PacketElement* next = &m_flows.Host(s_far);
    for (std::size_t i = m_forwardSettings.size(); i > 0; --i)
    {
        m_forward.push_back(std::make_unique<LightLink>(m_forwardSettings[i - 1], *next));
        next = m_forward.back().get();
    }
    if (m_make)
    {
        m_before = m_make(*next);
        next = m_before.get();
    }
    m_takesBursts = !m_make && std::all_of(m_forward.begin(),
                                           m_forward.end(),
                                           [](const auto& link) { return link->TakesBursts(); });
    m_toFar = next;
    next = &m_flows.Host(s_near);
    for (const LinkModel::Settings& settings : m_backwardSettings)
    {
        m_backward.push_back(std::make_unique<LightLink>(settings, *next));
        next = m_backward.back().get();
    }
    m_toNear = next;
}

FlowNumber
ExpressPathHelper::AddFlow(const BulkTcpOptions& options, std::uint64_t seed)
{
    const std::string entity = std::to_string(seed) + "/" + std::to_string(m_flowCount);
    return AddFlow(options,
                   MakeCongestionControl(FindCongestionControl(options.congestionControl),
                                         geotrain::StreamNumber("bulk-tcp", entity)));
}

FlowNumber
ExpressPathHelper::AddFlow(const BulkTcpOptions& options, Ptr<TcpCongestionOps> control)
{
    NS_ABORT_MSG_IF(!m_toFar, "the path is not built yet");
    const FlowNumber flow = m_flowCount++;
    const FlowPath path{
        {s_near, s_far}, *m_toFar, *m_toNear, options.wholeBursts ? &m_takesBursts : nullptr};
    m_flows.Open(flow, path, options, control, {m_log, m_log});
    return flow;
}

BulkSender&
ExpressPathHelper::Sender(FlowNumber flow)
{
    return m_flows.Sender(flow);
}

const BulkReceiver&
ExpressPathHelper::Receiver(FlowNumber flow) const
{
    return m_flows.Receiver(flow);
}

const LightLink&
ExpressPathHelper::Forward(std::size_t hop) const
{
    return *m_forward.at(m_forward.size() - 1 - hop);
}

TransferLog&
ExpressPathHelper::Log()
{
    return m_log;
}

void
ExpressPathHelper::CheckConservation() const
{
    m_flows.CheckConservation();
}

} // namespace ns3
