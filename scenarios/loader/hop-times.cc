#include "loader/hop-times.h"

#include "units/quantity-parser.h"
#include "wan/wan-paths.h"

#include <algorithm>
#include <cmath>

namespace geotrain
{

namespace
{

class HopTimer
{
  public:
    HopTimer(const scenario::Scenario& scenario, const WanTopology& topology, Bytes boundary)
        : m_scenario(scenario),
          m_topology(topology),
          m_paths(topology),
          m_bits(8.0 * static_cast<double>(boundary.Count())),
          m_window(ParseBytes(scenario.transport().window())),
          m_isTemporal(scenario.sharing() == scenario::TEMPORAL)
    {
    }

    Hop Between(NodeIndex source, NodeIndex destination) const
    {
        const auto delay = m_paths.NodeDelay(source, destination);
        if (source == destination || !delay)
        {
            return {}; // inside a node; what has no path is refused where the network is built
        }
        const bool crossesWan = m_topology.SiteOf(source) != m_topology.SiteOf(destination);
        const double rate =
            crossesWan ? WanRate(source, destination) : IntraRate(source, destination);
        Hop hop;
        hop.delay = *delay;
        hop.occupancy = Duration::Nanoseconds(std::llround(m_bits / rate * 1e9));
        hop.takesTurns = crossesWan && m_isTemporal;
        return hop;
    }

  private:
    static double Bits(BitRate rate)
    {
        return static_cast<double>(rate.ToBitsPerSecond());
    }

    /// bit/s that windows allow a node pair with so many connections.
    double WindowRate(NodeIndex source, NodeIndex destination, std::int64_t connections) const
    {
        const Duration roundTrip =
            std::max(Duration::Nanoseconds(1), *m_paths.RoundTripTime(source, destination));
        return 8.0 * static_cast<double>(m_window.Count() * connections) / roundTrip.ToSeconds();
    }

    double IntraRate(NodeIndex source, NodeIndex destination) const
    {
        const auto& site = m_topology.sites[m_topology.SiteOf(source)];
        return std::min(
            {Bits(site.nicRate),
             Bits(site.intraRate),
             WindowRate(source, destination, m_scenario.transport().intra_dc_connections())});
    }

    double WanRate(NodeIndex source, NodeIndex destination) const
    {
        const std::uint32_t from = m_topology.SiteOf(source);
        const std::uint32_t to = m_topology.SiteOf(destination);
        double pair =
            std::min({Bits(m_topology.sites[from].nicRate),
                      Bits(m_topology.sites[to].nicRate),
                      WindowRate(source, destination, m_scenario.transport().connections())});
        const auto& caps = m_topology.caps;
        for (const auto& cap : {caps.nodePair, caps.nodeEgress, caps.nodeIngress})
        {
            pair = cap ? std::min(pair, Bits(*cap)) : pair;
        }
        const auto& parallelism = m_scenario.parallelism();
        const auto lanes = static_cast<double>(m_isTemporal ? parallelism.cell_size() : 1);
        double rate = pair * lanes;
        const auto path = m_paths.SitePath(from, to).value_or(std::vector<WanHop>());
        for (const auto& hop : path)
        {
            const double senders = static_cast<double>(parallelism.data_parallel()) / lanes;
            rate = std::min(rate, Bits(m_topology.links[hop.link].rate) / senders);
        }
        return rate;
    }

    const scenario::Scenario& m_scenario;
    const WanTopology& m_topology;
    WanPaths m_paths;
    double m_bits;
    Bytes m_window;
    bool m_isTemporal;
};

} // namespace

std::vector<Hop>
HopTimes(const scenario::Scenario& scenario,
         const WanTopology& topology,
         const Placement& placement,
         const std::vector<std::uint32_t>& workerOfStage,
         Bytes boundary)
{
    const HopTimer timer(scenario, topology, boundary);
    std::vector<Hop> hops;
    for (std::size_t stage = 0; stage + 1 < workerOfStage.size(); ++stage)
    {
        hops.push_back(timer.Between(placement.nodeOfWorker[workerOfStage[stage]],
                                     placement.nodeOfWorker[workerOfStage[stage + 1]]));
    }
    return hops;
}

} // namespace geotrain
