// SPDX-License-Identifier: GPL-2.0-only
// Models a site's router between light links: a packet's destination decides where it goes, or the way of
// its connection where it has one. The router takes no time and has no queue of its own.
#pragma once

#include "wan-topology/model/flow-ends.h"

#include <vector>

namespace ns3
{

/// LightRouter gives packets to the element that leads to their destination.
class LightRouter : public PacketElement
{
  public:
    /// A router that knows no ways.
    LightRouter() = default;

    /// `flows` outlives this.
    explicit LightRouter(const FlowTable& flows);

    /// Packets to `node` go to `next`, which outlives the last of them.
    void Route(std::uint32_t node, PacketElement& next);

    /// Packets of connections whose way has the number `way`, above 0, go to `next`.
    void RouteWay(std::uint32_t way, PacketElement& next);

    void Receive(const PacketRecord& record) override;

  private:
    PacketElement* NextOfWay(const PacketRecord& record) const;

    const FlowTable* m_flows = nullptr;
    std::vector<PacketElement*> m_next;      ///< by node; null: no path
    std::vector<PacketElement*> m_nextOfWay; ///< by way; null: by the node
};

} // namespace ns3
