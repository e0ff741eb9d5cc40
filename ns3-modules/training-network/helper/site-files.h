// SPDX-License-Identifier: GPL-2.0-only
// Sends the files of cross traffic from router to router, each over a connection of bulk-tcp.
#pragma once

#include "bulk-tcp/helper/express-wan.h"
#include "training-network/helper/bearer.h"

namespace ns3
{

/// SiteFiles are the files of one WAN.
class SiteFiles
{
  public:
    /// `wan` outlives the files.
    explicit SiteFiles(ExpressWan& wan);

    /// Sends a file. Its connection stays in memory as long as the WAN.
    void Send(const Bearer::SiteFile& file);

  private:
    // Events of files, for which nobody waits.
    BulkSenderEvents m_senderEvents;
    BulkReceiverEvents m_receiverEvents;

    ExpressWan& m_wan;
    std::uint64_t m_files = 0;
};

} // namespace ns3
