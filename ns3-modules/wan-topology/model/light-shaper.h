// SPDX-License-Identifier: GPL-2.0-only
// Models the caps of a node at one side of its NIC, in front of a light link: NodeShaping for
// packet records.
#pragma once

#include "wan-topology/model/flow-ends.h"
#include "wan-topology/model/node-shaping.h"
#include "wan-topology/model/packet-ledger.h"
#include "wan-topology/model/packet-record.h"
#include "wan-topology/model/reusable-event.h"

namespace ns3
{

/// LightFrame is a packet record as a shaper sees it.
struct LightFrame
{
    const PacketRecord& record;
    const FlowTable& flows;

    using Held = PacketRecord;

    const Held& ToHeld() const
    {
        return record;
    }

    geotrain::Bytes Size() const
    {
        return geotrain::Bytes::Of(record.WireBytes());
    }

    std::uint32_t Packets() const
    {
        return record.Packets();
    }

    int Rank() const
    {
        return flows[record.flow].rank;
    }

    std::uint32_t ClassNumber(ShapingClasses classes, std::uint32_t remoteNode) const
    {
        return classes == ShapingClasses::Connections ? record.flow : remoteNode;
    }

    std::optional<std::uint32_t> RemoteNode(ShapingRemote remote,
                                            const WanAddressPlan& /*plan*/) const
    {
        return remote == ShapingRemote::Source ? SourceOf(record, flows) : record.destination;
    }
};

/// LightShaper holds or drops packets that exceed the caps.
class LightShaper : public PacketElement
{
  public:
    using Shaping = BasicNodeShaping<LightFrame>;

    /// `flows`, `next`, and `ledger` where there is one, outlive the shaper.
    LightShaper(const NodeShapingSettings& settings,
                const FlowTable& flows,
                PacketElement& next,
                PacketLedger* ledger = nullptr);

    void Receive(const PacketRecord& record) override;

    const Shaping& GetShaping() const;

    /// Returns whether it takes bursts. It gives those on that leave quickly enough as one, and cuts those
    /// up that do not or have no room as a whole.
    bool TakesBursts() const;

  private:
    void CutUp(const PacketRecord& burst);
    bool LeavesSlowly(const PacketRecord& burst) const;
    void GiveOn(const PacketRecord& record, geotrain::Duration spread);
    void Release();

    Shaping m_shaping;
    const FlowTable& m_flows;
    PacketElement& m_next;
    PacketLedger* m_ledger; ///< null: nobody asks
    LazyTimer m_timer;
};

} // namespace ns3
