// SPDX-License-Identifier: GPL-2.0-only
// Holds what WanBuilder made: the ns-3 nodes, addresses and links of a WanTopology, and what the
// links have carried.
#pragma once

#include "wan-topology/model/wan-link-device.h"
#include "wan-topology/model/wan-links.h"
#include "wan/wan-paths.h"
#include "wan/wan-topology.h"

#include <ns3/ipv4-address.h>
#include <ns3/node.h>
#include <ns3/nstime.h>
#include <ns3/queue-disc.h>

#include <memory>
#include <vector>

namespace ns3
{

/// BuiltWan is a WAN of ns-3 devices.
class BuiltWan : public WanLinks
{
  public:
    using LinkClass = WanLinkClass;

    struct Link : WanLink
    {
        Ptr<WanLinkDevice> device; ///< the sending device
        Ptr<QueueDisc> queueDisc;  ///< none: drop-tail in the device
        std::shared_ptr<Time>
            waitInDisc{}; ///< of the packets that have left the queue disc, summed
    };

    /// `node` is below WanTopology::NodeCount().
    Ptr<Node> NodeAt(std::uint32_t node) const;
    Ipv4Address AddressOf(std::uint32_t node) const;
    Ptr<WanLinkDevice> NicOf(std::uint32_t node) const;  ///< the node's own device
    Ptr<WanLinkDevice> PortTo(std::uint32_t node) const; ///< the router's device towards the node

    /// Returns both directions of every link: WAN links in the topology's order, then NICs.
    const std::vector<Link>& Links() const;

    /// Returns the counters of a link, its queue disc included. Read them before
    /// Simulator::Destroy(), which ends simulated time.
    WanLinkCounters CountersOf(const Link& link) const;

    std::size_t LinkCount() const override;
    const WanLink& LinkAt(std::size_t number) const override;
    WanLinkCounters CountersAt(std::size_t number) const override;

    /// Returns the propagation delay there and back.
    Time RoundTripTime(std::uint32_t a, std::uint32_t b) const;

    const geotrain::WanTopology& Topology() const override;
    const geotrain::WanPaths& Paths() const;

  private:
    friend class WanBuilder;

    explicit BuiltWan(const geotrain::WanTopology& topology);

    geotrain::WanTopology m_topology;
    std::shared_ptr<const geotrain::WanPaths> m_paths;
    std::vector<Ptr<Node>> m_nodes;
    std::vector<Ptr<Node>> m_routers;
    std::vector<Ipv4Address> m_addresses;
    std::vector<Ptr<WanLinkDevice>> m_nics;
    std::vector<Ptr<WanLinkDevice>> m_ports;
    std::vector<Link> m_links;
};

} // namespace ns3
