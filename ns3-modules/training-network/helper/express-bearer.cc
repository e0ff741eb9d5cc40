// SPDX-License-Identifier: GPL-2.0-only
// Puts connections and the files of cross traffic on light links.
#include "training-network/helper/express-bearer.h"

#include "bulk-tcp/model/congestion-control-types.h"
#include "training-network/model/bulk-transport.h"

namespace ns3
{

std::unique_ptr<Bearer>
ExpressBearer::Make(const geotrain::WanTopology& topology, const std::string& file)
{
    return std::make_unique<ExpressBearer>(topology, file);
}

ExpressBearer::ExpressBearer(const geotrain::WanTopology& topology, const std::string& file)
    : m_wan(topology, file)
{
}

WanLinks&
ExpressBearer::Links()
{
    return m_wan.Links();
}

std::unique_ptr<MessageTransport>
ExpressBearer::MakeTransport(const TransportOptions& options)
{
    return std::make_unique<BulkTransport>(
        m_wan, options.ForBulkTcp(m_wan.Links().Topology().mtu),
        options.streamName.empty() ? "bulk-transport" : options.streamName);
}

void
ExpressBearer::SendFile(const SiteFile& file)
{
    BulkTcpOptions options = BulkTcpOptions::FromAttributes();
    options.congestionControl = file.congestionControl;
    options.window = file.window;
    options.mtu = m_wan.Links().Topology().mtu;
    const TypeId control = FindCongestionControl(file.congestionControl);
    const FlowEnds hosts{m_wan.Links().HostAtRouter(file.from),
                         m_wan.Links().HostAtRouter(file.to)};
    const FlowNumber flow = m_wan.Open(hosts,
                                       options,
                                       MakeCongestionControl(control, file.stream),
                                       m_senderOfFiles,
                                       m_receiverOfFiles);
    m_wan.Flows().Sender(flow).Send(m_files++, file.bytes);
}

} // namespace ns3
