// SPDX-License-Identifier: GPL-2.0-only
// Models how a router deals connections out to parallel links, by a hash of each. The links of an outage
// that loses packets are left out while it lasts, so that their connections go over the others, if any.
#pragma once

#include "wan-topology/model/flow-ends.h"
#include "wan-topology/model/link-schedule.h"

#include <vector>

namespace ns3
{

/// LightShare stands between a router and parallel links.
class LightShare : public PacketElement
{
  public:
    /// `flows` outlives this.
    explicit LightShare(const FlowTable& flows);

    /// Adds a link, whose chance is its share of the sum of `weight`, which is positive. `next` outlives
    /// the last packet.
    void Add(PacketElement& next, double weight, const LinkSchedule& schedule);

    void Receive(const PacketRecord& record) override;

  private:
    struct Link
    {
        PacketElement* next;
        double weight;
        LinkSchedule schedule;
    };

    /// Returns the link of a draw from (0, 1) among those that are not out at `now`, or among all where
    /// no time is given; null: there is none.
    const Link* LinkOf(double draw, const geotrain::Instant* now) const;

    const FlowTable& m_flows;
    std::vector<Link> m_links;
};

} // namespace ns3
