// SPDX-License-Identifier: GPL-2.0-only
// Sends packets over a real network's graph: between every pair of Abilene's cities they take the
// delay that WanPaths gives.
#include "udp-flow.h"

#include "topology-import/topology-import.h"

#include <filesystem>
#include <memory>

namespace ns3
{
namespace
{

using geotrain::BitRate;
using geotrain::Duration;

class ImportedWan : public WanSimulation
{
};

TEST_F(ImportedWan, EveryPairOfAbileneIsReachedAfterItsPathsDelay)
{
    const std::string path = GEOTRAIN_SHARED_DATA "/topologies/zoo_Abilene.gml";
    if (!std::filesystem::exists(path))
    {
        GTEST_SKIP() << "no reference data: " << path;
    }
    geotrain::ImportOptions options;
    options.defaultRate = BitRate::GigabitsPerSecond(10);
    geotrain::WanTopology topology = geotrain::ImportTopology(path, options).wan;
    for (geotrain::WanTopology::Site& site : topology.sites)
    {
        site.nodes = 1;
        site.nicRate = BitRate::GigabitsPerSecond(10);
        site.intraRate = site.nicRate;
        site.intraDelay = Duration::Microseconds(10);
    }
    const BuiltWan wan = WanBuilder(topology, path).Build();
    const std::uint32_t nodes = topology.NodeCount();
    for (std::uint32_t from = 0; from < nodes; ++from)
    {
        for (std::uint32_t to = 0; to < nodes; ++to)
        {
            if (from == to)
            {
                continue;
            }
            const Time start = Simulator::Now();
            UdpFlow flow(wan,
                         from,
                         to,
                         BitRate::GigabitsPerSecond(1),
                         1250,
                         Seconds(0),
                         start + NanoSeconds(1));
            Simulator::Run();
            ASSERT_EQ(flow.Received(), 1u);
            // 1,250 bytes at 10 Gbit/s take 1 us on every link of the path and on two NIC links.
            const auto hops = static_cast<std::int64_t>(wan.Paths().SitePath(from, to)->size());
            EXPECT_EQ((flow.FirstArrival() - start).GetNanoSeconds(),
                      wan.Paths().NodeDelay(from, to)->ToNanoseconds() + (hops + 2) * 1000);
        }
    }
}

} // namespace
} // namespace ns3
