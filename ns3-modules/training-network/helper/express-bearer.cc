// SPDX-License-Identifier: GPL-2.0-only
// Puts connections and the files of cross traffic on light links.
#include "training-network/helper/express-bearer.h"

#include "training-network/model/bulk-transport.h"

namespace ns3
{

std::unique_ptr<Bearer>
ExpressBearer::Make(const geotrain::WanTopology& topology, const std::string& file)
{
    return std::make_unique<ExpressBearer>(topology, file);
}

ExpressBearer::ExpressBearer(const geotrain::WanTopology& topology, const std::string& file)
    : m_wan(topology, file),
      m_files(m_wan)
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
    return std::make_unique<BulkTransport>(m_wan,
                                           options.ForBulkTcp(m_wan.Links().Topology().mtu),
                                           options.streamName.empty() ? "bulk-transport"
                                                                      : options.streamName,
                                           options.extraRoundTrip);
}

void
ExpressBearer::SendFile(const SiteFile& file)
{
    m_files.Send(file);
}

} // namespace ns3
