// SPDX-License-Identifier: GPL-2.0-only
// Models an end of paths of light links: it gives packet records to the sender or receiver of their
// connection.
#pragma once

#include "bulk-tcp/model/bulk-receiver.h"
#include "bulk-tcp/model/bulk-sender.h"

#include <vector>

namespace ns3
{

/// ExpressHost holds the ends of connections that are at one node.
class ExpressHost : public PacketElement
{
  public:
    void Receive(const PacketRecord& record) override;

    /// `sender` and `receiver` outlive the host's last packet.
    void Attach(FlowNumber flow, BulkSender& sender);
    void Attach(FlowNumber flow, BulkReceiver& receiver);

  private:
    std::vector<BulkSender*> m_senders; ///< by flow; null: the flow's sender is not here
    std::vector<BulkReceiver*> m_receivers;
};

} // namespace ns3
