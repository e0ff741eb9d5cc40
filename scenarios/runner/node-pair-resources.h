// What limits the rate of a directed node pair: caps, NICs and links, each with a number, so that those who
// share one find each other. Written once, for the analytic network and for the usable WAN capacity.
#pragma once

#include "execution/network.h"
#include "wan/wan-paths.h"
#include "wan/wan-topology.h"

#include <map>
#include <utility>
#include <vector>

namespace geotrain
{

class NodePairResources
{
  public:
    /// `pairs` are all that have a node-pair cap of their own; others are taken to be without one.
    NodePairResources(const WanTopology& topology, const std::vector<Network::WarmUp>& pairs);

    /// The rate of each resource.
    const std::vector<BitRate>& Rates() const;

    /// The resources of a pair of different nodes, from source to destination: indices into Rates().
    std::vector<std::size_t> Of(NodeIndex source, NodeIndex destination) const;

    /// Whether a resource is a direction of a WAN link.
    bool IsWanLink(std::size_t resource) const;

    bool CrossesWan(NodeIndex source, NodeIndex destination) const;

    /// One way.
    Duration Delay(NodeIndex source, NodeIndex destination) const;

  private:
    std::size_t Add(BitRate rate);
    void AddNodes();
    void AddPairCaps(const std::vector<Network::WarmUp>& pairs);

    // The resources of a node in one direction; nodeCap only where the scenario sets one.
    struct NodeSide
    {
        std::size_t nic = 0;
        std::size_t intra = 0;
        std::vector<std::size_t> cap;
    };

    WanTopology m_topology;
    WanPaths m_paths;
    std::vector<std::uint32_t> m_siteOf;
    std::vector<BitRate> m_rates;
    std::vector<NodeSide> m_egress;
    std::vector<NodeSide> m_ingress;
    std::vector<std::size_t> m_links; ///< link i forward at 2i, backward at 2i+1
    std::map<std::pair<NodeIndex, NodeIndex>, std::size_t> m_pairCaps;
};

} // namespace geotrain
