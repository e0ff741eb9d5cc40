// SPDX-License-Identifier: GPL-2.0-only
// Carries messages with bulk-tcp over light links: the fast bearer, which has packet records and no
// ns-3 packets.
#pragma once

#include "bulk-tcp/helper/express-wan.h"
#include "training-network/helper/bearer.h"
#include "training-network/helper/site-files.h"

namespace ns3
{

/// ExpressBearer is the bearer EXPRESS of a scenario.
class ExpressBearer : public Bearer
{
  public:
    /// Throws geotrain::ConfigError as MakeBearer() does.
    static std::unique_ptr<Bearer> Make(const geotrain::WanTopology& topology,
                                        const std::string& file);

    ExpressBearer(const geotrain::WanTopology& topology, const std::string& file);

    WanLinks& Links() override;
    std::unique_ptr<MessageTransport> MakeTransport(const TransportOptions& options) override;

    /// Sends a file. Its connection stays in memory until the run ends.
    void SendFile(const SiteFile& file) override;

  private:
    ExpressWan m_wan;
    SiteFiles m_files;
};

} // namespace ns3
