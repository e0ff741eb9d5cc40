// SPDX-License-Identifier: GPL-2.0-only
// Models a site's router between light links: a packet's destination decides where it goes. The
// router takes no time and has no queue of its own.
#pragma once

#include "wan-topology/model/packet-record.h"

#include <vector>

namespace ns3
{

/// LightRouter gives packets to the element that leads to their destination.
class LightRouter : public PacketElement
{
  public:
    /// Packets to `node` go to `next`, which outlives the last of them.
    void Route(std::uint32_t node, PacketElement& next);

    void Receive(const PacketRecord& record) override;

  private:
    std::vector<PacketElement*> m_next; ///< by node; null: no path
};

} // namespace ns3
