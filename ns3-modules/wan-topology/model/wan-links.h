// SPDX-License-Identifier: GPL-2.0-only
// Defines what a training network needs of the links of a WAN, whatever carries packets over them:
// ns-3 devices (BuiltWan) or light links (LightWan).
#pragma once

#include "wan-topology/model/link-model.h"
#include "wan/wan-topology.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace ns3
{

/// WanLinkClass says where a link lies.
enum class WanLinkClass
{
    Wan,    ///< between two sites
    IntraDc ///< between a node and its site's router
};

/// A WanLink is one direction of a link. Names are unique: "dc-a -> dc-b", "dc-a -> dc-b #2", "node
/// 3 -> dc-a", "dc-a -> node 3".
struct WanLink
{
    std::string name;
    WanLinkClass linkClass = WanLinkClass::Wan;
    geotrain::BitRate rate;
};

/// WanLinkCounters count what one direction has done since the beginning.
struct WanLinkCounters
{
    std::uint64_t packets = 0;  ///< given to the wire or in the link's queue, lost ones included
    std::int64_t sentBytes = 0; ///< bytes put on the wire, but for those that an outage lost
    /// Bytes given to the wire from nodes of the site at the link's beginning; 0 for intra-DC
    /// links.
    std::int64_t localBytes = 0;
    /// Bytes in the link's queue and in a shaper, the packet being sent included.
    std::int64_t queuedBytes = 0;
    std::uint64_t drops = 0; ///< drops at queues, shapers, policers, and losses at random
    std::uint64_t lost = 0;  ///< of these, losses at random and in outages
    /// Waiting time in the link's queue, or in its queue disc, summed over packets; without a shaper's.
    std::int64_t queueingNs = 0;
};

/// PassedPacket is what became of a packet that came to a link.
struct PassedPacket
{
    geotrain::Instant at;
    geotrain::Bytes size;
    std::optional<geotrain::Duration> delay; ///< none: dropped or lost
    std::uint8_t dscp = 0;                   ///< mark
    bool isCrossTraffic = false;             ///< it came from a site's router, not from a node
};

using PacketObserver = std::function<void(const PassedPacket&)>;

/// Returns the counters of the link alone; localBytes is left 0.
WanLinkCounters CountersOf(const LinkModel& link, geotrain::Instant now);

/// WanLinks is the interface to all links of a WAN.
class WanLinks
{
  public:
    struct Totals
    {
        std::uint64_t packets =
            0;                  ///< packets sent, lost ones included, counted again on every link
        std::int64_t bytes = 0; ///< bytes of those packets, IP headers included
        std::int64_t localBytes = 0; ///< Wan: bytes on the first WAN link of each packet's path
        std::uint64_t drops = 0;
        std::uint64_t lost = 0; ///< of these, losses at random and in outages
    };

    virtual ~WanLinks() = default;

    virtual const geotrain::WanTopology& Topology() const = 0;

    /// Counts both directions of every link: WAN links in the topology's order, then NICs.
    virtual std::size_t LinkCount() const = 0;
    virtual const WanLink& LinkAt(std::size_t number) const = 0;
    virtual WanLinkCounters CountersAt(std::size_t number) const = 0;

    /// Tells `observer` of every packet that comes to a link from now on. Only light links can.
    virtual void ObservePackets(std::size_t number, const PacketObserver& observer);

    /// Returns the queue of what a node sends, or of what it receives, at its NIC, for bytes that are no
    /// packets; null where packets have it for themselves: ns-3 devices, and NICs that serve by rank.
    virtual LinkModel* NicQueue(std::uint32_t node, bool sends);

    Totals TotalsOf(WanLinkClass linkClass) const;

    /// Begins the rate steps and outages of all links; before, there are none. Call it once.
    virtual void BeginSchedules();

    /// Returns what the links' settings hold as scheduleBegin: Never until BeginSchedules().
    std::shared_ptr<const geotrain::Instant> ScheduleBegin() const;

  private:
    std::shared_ptr<geotrain::Instant> m_scheduleBegin =
        std::make_shared<geotrain::Instant>(geotrain::Instant::Never());
};

} // namespace ns3
