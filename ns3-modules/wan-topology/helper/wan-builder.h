// SPDX-License-Identifier: GPL-2.0-only
// Makes ns-3 nodes and devices of a WanTopology: the end nodes, one router per site, NIC links and
// WAN links of WanLinkDevices, an IPv4 stack, and static routes from WanPaths. Caps and the rate
// inside a site are shaped on the node's own device for what it sends, and on the router's port for
// what it receives. Queue discs are installed only where a link names one. Random losses come from
// RngSeedManager's seed and run, which the caller has set.
#pragma once

#include "wan-topology/helper/built-wan.h"
#include "wan-topology/helper/wan-settings.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/// WanBuilder builds one topology.
class WanBuilder
{
  public:
    /// Errors name `file`.
    explicit WanBuilder(const geotrain::WanTopology& topology, const std::string& file = "");
    WanBuilder(const WanBuilder&) = delete;
    WanBuilder& operator=(const WanBuilder&) = delete;

    /// Builds the WAN; call it once. Throws geotrain::ConfigError where the topology is not valid
    /// or a queue disc is unknown.
    BuiltWan Build();

  private:
    /// Ends are the two devices of a link.
    struct Ends
    {
        Ptr<WanLinkDevice> a;
        Ptr<WanLinkDevice> b;
    };

    void MakeNodes();
    void MakeWanLinks();
    void MakeNics();
    void AddRoutes();

    Ends Join(Ptr<Node> a, Ptr<Node> b);
    std::uint32_t AddInterface(Ptr<WanLinkDevice> device, Ipv4Address address);
    void MakeWanDirection(const geotrain::WanTopology::Link& link,
                          std::uint32_t from,
                          LinkModel::Settings settings,
                          const Ends& ends);
    Ptr<QueueDisc> AddQueueDisc(const geotrain::WanTopology::Link& link,
                                const std::string& linkName,
                                const QueueLimit& limit,
                                Ptr<WanLinkDevice> device);
    void MakeNic(std::uint32_t node);
    void ConnectNic(const Ends& ends, const LinkModel::Settings& settings);
    std::unique_ptr<NodeShaping> MakeShaping(std::uint32_t node, NodeShaping::Remote remote) const;

    BuiltWan m_wan;
    std::shared_ptr<const WanAddressPlan> m_plan;
    WanSettings m_settings;
    std::uint32_t m_routerPorts = 0; ///< router ports that have an address
    /// Per direction of each link, the interface at the sending router.
    std::vector<std::uint32_t> m_wanInterfaces;
};

} // namespace ns3
