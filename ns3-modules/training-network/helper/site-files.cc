// SPDX-License-Identifier: GPL-2.0-only
#include "training-network/helper/site-files.h"

#include "bulk-tcp/model/bulk-tcp-attributes.h"
#include "bulk-tcp/model/congestion-control-types.h"

namespace ns3
{

SiteFiles::SiteFiles(ExpressWan& wan)
    : m_wan(wan)
{
}

void
SiteFiles::Send(const Bearer::SiteFile& file)
{
    BulkTcpOptions options = BulkTcp::DefaultOptions(file.preset);
    options.congestionControl = file.congestionControl;
    options.window = file.window;
    options.mtu = m_wan.Links().Topology().mtu;
    const TypeId control = FindCongestionControl(file.congestionControl);
    const FlowEnds hosts{m_wan.Links().HostAtRouter(file.from),
                         m_wan.Links().HostAtRouter(file.to)};
    const FlowNumber flow = m_wan.Open(hosts,
                                       options,
                                       MakeCongestionControl(control, file.stream),
                                       {m_senderEvents, m_receiverEvents});
    m_wan.Send(flow, m_files++, file.bytes);
}

} // namespace ns3
