#include "planner/cluster-network.h"

#include <map>
#include <memory>

namespace geotrain
{

namespace
{

class Resources
{
  public:
    Resources(const Cluster& cluster,
              const std::vector<std::uint32_t>& dataCenterOfNode,
              const std::vector<Network::WarmUp>& pairs)
        : m_cluster(cluster),
          m_dataCenterOfNode(dataCenterOfNode),
          m_rates(cluster.linkRates)
    {
        for (const std::uint32_t dataCenter : dataCenterOfNode)
        {
            const auto& node = cluster.dataCenters[dataCenter];
            m_sends.push_back(AddSide(node, cluster.caps.nodeEgress));
            m_receives.push_back(AddSide(node, cluster.caps.nodeIngress));
        }
        for (const auto& pair : pairs)
        {
            if (cluster.caps.nodePair && CrossesWan(pair.source, pair.destination))
            {
                m_pairCaps.emplace(std::pair(pair.source, pair.destination),
                                   Add(*cluster.caps.nodePair));
            }
        }
    }

    const std::vector<BitRate>& Rates() const
    {
        return m_rates;
    }

    AnalyticPath PathOf(NodeIndex source, NodeIndex destination) const
    {
        const auto& transport = m_cluster.transport;
        AnalyticPath path;
        static_cast<AnalyticConnection&>(path) = transport.connection;
        path.crossesWan = CrossesWan(source, destination);
        const Side& sends = m_sends[source];
        const Side& receives = m_receives[destination];
        path.links = {sends.nic, receives.nic};
        const std::uint32_t from = m_dataCenterOfNode[source];
        const std::uint32_t to = m_dataCenterOfNode[destination];
        path.connections = transport.intraDcConnections;
        if (!path.crossesWan)
        {
            path.links.push_back(sends.intra);
            path.links.push_back(receives.intra);
            path.delay = m_cluster.dataCenters[from].intraDelay;
            path.roundTrip = path.delay * 2;
        }
        else
        {
            const auto& wan = m_cluster.paths[from][to].value();
            path.links.insert(path.links.end(), wan.links.begin(), wan.links.end());
            path.links.insert(path.links.end(), sends.cap.begin(), sends.cap.end());
            path.links.insert(path.links.end(), receives.cap.begin(), receives.cap.end());
            const auto pairCap = m_pairCaps.find({source, destination});
            if (pairCap != m_pairCaps.end())
            {
                path.links.push_back(pairCap->second);
            }
            path.delay = wan.delay;
            path.roundTrip = wan.delay + m_cluster.paths[to][from].value().delay;
            path.connections = transport.connections;
        }
        LeaveOutLooseWindow(path, m_rates);
        return path;
    }

  private:
    struct Side
    {
        std::size_t nic = 0;
        std::size_t intra = 0;
        std::vector<std::size_t> cap; ///< none or one
    };

    std::size_t Add(BitRate rate)
    {
        m_rates.push_back(rate);
        return m_rates.size() - 1;
    }

    Side AddSide(const Cluster::DataCenter& node, const std::optional<BitRate>& cap)
    {
        Side side{Add(node.nicRate), Add(node.intraRate), {}};
        if (cap)
        {
            side.cap.push_back(Add(*cap));
        }
        return side;
    }

    bool CrossesWan(NodeIndex source, NodeIndex destination) const
    {
        return m_dataCenterOfNode[source] != m_dataCenterOfNode[destination];
    }

    Cluster m_cluster;
    std::vector<std::uint32_t> m_dataCenterOfNode;
    std::vector<BitRate> m_rates; ///< WAN links first
    std::vector<Side> m_sends;
    std::vector<Side> m_receives;
    std::map<std::pair<NodeIndex, NodeIndex>, std::size_t> m_pairCaps;
};

} // namespace

AnalyticTopology
MakeAnalyticTopology(const Cluster& cluster,
                     const std::vector<std::uint32_t>& dataCenterOfNode,
                     const std::vector<Network::WarmUp>& pairs)
{
    const auto resources = std::make_shared<const Resources>(cluster, dataCenterOfNode, pairs);
    AnalyticTopology topology;
    topology.linkRates = resources->Rates();
    topology.payloadShare = cluster.transport.payloadShare;
    topology.pathOf = [resources](NodeIndex source, NodeIndex destination)
    { return resources->PathOf(source, destination); };
    return topology;
}

} // namespace geotrain
