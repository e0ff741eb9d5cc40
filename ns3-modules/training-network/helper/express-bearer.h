// SPDX-License-Identifier: GPL-2.0-only
// Carries messages with bulk-tcp over light links: the fast bearer, which has packet records and no
// ns-3 packets.
#pragma once

#include "bulk-tcp/helper/express-wan.h"
#include "training-network/helper/bearer.h"

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
    // Events of files, for which nobody waits.
    BulkSenderEvents m_senderOfFiles;
    BulkReceiverEvents m_receiverOfFiles;

    ExpressWan m_wan;
    std::uint64_t m_files = 0;
};

} // namespace ns3
