// Makes ns-3 nodes and devices of a WanTopology: the end nodes, one router a site, NIC links and WAN links of
// WanLinkDevices, an IPv4 stack, and static routes from WanPaths. Caps and the rate inside a site are shaped on the
// node's own device for what it sends, and on the router's port for what it receives. Queue discs only where a link
// names one. Random losses come from RngSeedManager's seed and run, which the caller has set.
#pragma once

#include "wan-topology/helper/built-wan.h"

#include <string>

namespace ns3
{

class WanBuilder
{
  public:
    /// `file` is named by errors.
    explicit WanBuilder(const WanTopology& topology, const std::string& file = "");

    /// Throws geotrain::ConfigError where the topology is not valid or a queue disc is unknown. Call it once.
    BuiltWan Build();

  private:
    void MakeNodes();
    void MakeWanLinks();
    void MakeNics();
    void AddRoutes();

    struct Ends
    {
        Ptr<WanLinkDevice> a;
        Ptr<WanLinkDevice> b;
    };

    Ends Join(Ptr<Node> a, Ptr<Node> b);
    std::uint32_t AddInterface(Ptr<WanLinkDevice> device, Ipv4Address address);
    void NameLink(const std::string& name,
                  BuiltWan::LinkClass linkClass,
                  Ptr<WanLinkDevice> device,
                  Ptr<QueueDisc> queueDisc);
    Ptr<QueueDisc> AddQueueDisc(const WanTopology::Link& link, Ptr<WanLinkDevice> device, const QueueLimit& limit);
    std::unique_ptr<NodeShaping> EgressShaping(std::uint32_t node) const;
    std::unique_ptr<NodeShaping> IngressShaping(std::uint32_t node) const;

    std::string m_file;
    BuiltWan m_wan;
    std::shared_ptr<const WanAddressPlan> m_plan;
    std::uint32_t m_routerPorts = 0;
    std::vector<std::uint32_t> m_wanInterfaces; ///< of each direction: at the sending router
};

} // namespace ns3
