// SPDX-License-Identifier: GPL-2.0-only
// The caps of a node at one side of its NIC, in front of a light link: wan-topology's NodeShaping
// for packet records.
#pragma once

#include "bulk-tcp/model/flow-ends.h"
#include "bulk-tcp/model/packet-record.h"
#include "bulk-tcp/model/reusable-event.h"
#include "wan-topology/model/node-shaping.h"

namespace ns3
{

/// A packet as the express bearer shapes it.
struct ExpressFrame
{
    PacketRecord record;
    std::uint32_t source; ///< node

    geotrain::Bytes Size() const
    {
        return geotrain::Bytes::Of(record.wireSize);
    }

    std::optional<std::uint32_t> RemoteNode(ShapingRemote remote,
                                            const WanAddressPlan& /*plan*/) const
    {
        return remote == ShapingRemote::Source ? source : record.destination;
    }
};

class ExpressShaper : public PacketElement
{
  public:
    using Shaping = BasicNodeShaping<ExpressFrame>;

    /// `flows` and `next` outlive the shaper.
    ExpressShaper(const NodeShapingSettings& settings, const FlowTable& flows, PacketElement& next);

    void Receive(const PacketRecord& record) override;

    const Shaping& GetShaping() const;

  private:
    void Release();

    Shaping m_shaping;
    const FlowTable& m_flows;
    PacketElement& m_next;
    LazyTimer m_timer;
};

} // namespace ns3
