// SPDX-License-Identifier: GPL-2.0-only
// Counts the packets of a WAN link whose way over the WAN begins on that link.
#pragma once

#include "wan-topology/model/flow-ends.h"
#include "wan-topology/model/light-link.h"
#include "wan-topology/model/wan-address-plan.h"

namespace ns3
{

/// LightSourceMeter stands before a WAN link and counts such packets.
class LightSourceMeter : public PacketElement
{
  public:
    /// Counts packets from nodes of `site`; from `nodes` on, sources are routers. All that is named
    /// outlives the meter.
    LightSourceMeter(std::uint32_t site,
                     std::uint32_t nodes,
                     const WanAddressPlan& plan,
                     const FlowTable& flows,
                     LightLink& link);

    void Receive(const PacketRecord& record) override;

    std::int64_t Bytes() const;

  private:
    std::uint32_t m_site;
    std::uint32_t m_nodes;
    const WanAddressPlan& m_plan;
    const FlowTable& m_flows;
    LightLink& m_link;
    std::int64_t m_bytes = 0;
};

} // namespace ns3
