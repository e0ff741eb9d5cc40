// SPDX-License-Identifier: GPL-2.0-only
// A site's router of the express bearer: what a packet's destination names decides where it goes.
// It takes no time and has no queue of its own.
#pragma once

#include "bulk-tcp/model/packet-record.h"

#include <vector>

namespace ns3
{

class ExpressRouter : public PacketElement
{
  public:
    /// Packets to `node` go to `next`, which outlives the last of them.
    void Route(std::uint32_t node, PacketElement& next);

    void Receive(const PacketRecord& record) override;

  private:
    std::vector<PacketElement*> m_next; ///< by node; null: no path
};

} // namespace ns3
