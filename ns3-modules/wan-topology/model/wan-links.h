// What a training network asks of the links of a WAN, whatever carries packets over them: ns-3
// devices (BuiltWan) or light links (bulk-tcp's ExpressWan).
#pragma once

#include "wan-topology/model/link-model.h"
#include "wan/wan-topology.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace ns3
{

enum class WanLinkClass
{
    Wan,    ///< between two sites
    IntraDc ///< between a node and its site's router
};

/// One direction. Names are unique: "dc-a -> dc-b", "dc-a -> dc-b #2", "node 3 -> dc-a", "dc-a ->
/// node 3".
struct WanLink
{
    std::string name;
    WanLinkClass linkClass = WanLinkClass::Wan;
    geotrain::BitRate rate;
};

/// What one direction has done since the beginning.
struct WanLinkCounters
{
    std::uint64_t packets = 0;  ///< given to the wire or in the link's queue, lost ones included
    std::int64_t sentBytes = 0; ///< put on the wire
    std::int64_t localBytes =
        0; ///< given to the wire, of packets from a node of the site at its beginning; 0 for intra-DC links
    std::int64_t queuedBytes =
        0; ///< now: in the link's queue and in a shaper, the packet being sent included
    std::uint64_t drops = 0; ///< at queues, shapers, policers, and lost at random
    std::int64_t queueingNs =
        0; ///< in the link's queue, of all packets together; without a shaper's or a queue disc's
};

/// Of the link alone; localBytes is left 0.
WanLinkCounters CountersOf(const LinkModel& link, geotrain::Instant now);

class WanLinks
{
  public:
    struct Totals
    {
        std::uint64_t packets = 0;   ///< sent, lost ones included, counted again on every link
        std::int64_t bytes = 0;      ///< of those packets, IP headers included
        std::int64_t localBytes = 0; ///< Wan: on the first WAN link of each packet's path
        std::uint64_t drops = 0;
    };

    virtual ~WanLinks() = default;

    virtual const geotrain::WanTopology& Topology() const = 0;

    /// Both directions of every link: WAN links in the topology's order, then NICs.
    virtual std::size_t LinkCount() const = 0;
    virtual const WanLink& LinkAt(std::size_t number) const = 0;
    virtual WanLinkCounters CountersAt(std::size_t number) const = 0;

    Totals TotalsOf(WanLinkClass linkClass) const;
};

} // namespace ns3
