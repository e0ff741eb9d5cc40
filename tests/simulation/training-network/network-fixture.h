// A training network over two data centres, one node each unless a test says otherwise:
//
//   node 0 --100 Gbit/s-- dc-a ==== rate, delay, loss ==== dc-b --100 Gbit/s-- node 1
#pragma once

#include "training-network/helper/training-network-helper.h"
#include "wan-topology/helper/wan-builder.h"

#include "ns3/config.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace ns3
{

constexpr std::int64_t SEGMENT =
    9000 - 52;                     ///< payload of a packet at MTU 9000: IPv4, TCP, timestamps
constexpr std::int64_t FRAME = 32; ///< bytes that precede a message in the stream

struct TwoSites
{
    geotrain::Duration roundTrip = geotrain::Duration::Milliseconds(40);
    geotrain::BitRate rate = geotrain::BitRate::GigabitsPerSecond(10);
    double lossRate = 0;
    std::uint32_t nodesPerSite = 1;

    geotrain::WanTopology Build() const
    {
        geotrain::WanTopology topology;
        for (const char* name : {"dc-a", "dc-b"})
        {
            geotrain::WanTopology::Site site;
            site.name = name;
            site.nodes = nodesPerSite;
            site.nicRate = geotrain::BitRate::GigabitsPerSecond(100);
            site.intraRate = site.nicRate;
            site.intraDelay = geotrain::Duration::Microseconds(10);
            topology.sites.push_back(site);
        }
        geotrain::WanTopology::Link link;
        link.from = 0;
        link.to = 1;
        link.rate = rate;
        link.delay = geotrain::Duration::Nanoseconds(roundTrip.ToNanoseconds() / 2 - 10000);
        link.lossRate = lossRate;
        topology.links.push_back(link);
        topology.mtu = geotrain::Bytes::Of(9000);
        return topology;
    }
};

class NetworkTest : public testing::Test
{
  protected:
    void SetUp() override
    {
        RngSeedManager::SetSeed(1);
        RngSeedManager::SetRun(1);
    }

    void TearDown() override
    {
        Reset();
    }

    /// Forgets the network and all of ns-3's state.
    void Reset()
    {
        network = nullptr;
        wan.reset();
        express.reset();
        Simulator::Destroy();
        Config::Reset();
    }

    void Install(const geotrain::WanTopology& topology)
    {
        wan = std::make_unique<BuiltWan>(WanBuilder(topology).Build());
        network = helper.Install(*wan);
    }

    /// bulk-tcp over light links instead of ns-3's TCP over devices.
    void InstallExpress(const geotrain::WanTopology& topology)
    {
        express = std::make_unique<ExpressWan>(topology);
        network = helper.Install(*express);
    }

    /// bulk-tcp over devices.
    void InstallDevice(const geotrain::WanTopology& topology)
    {
        wan = std::make_unique<BuiltWan>(WanBuilder(topology).Build());
        network = helper.InstallBulk(*wan);
    }

    /// Sends and appends the times of delivery to `delivered`.
    void Send(std::int64_t bytes, std::uint32_t connection = 0)
    {
        network->Transfer({0, 1, connection, geotrain::Bytes::Of(bytes)},
                          [this, bytes](const geotrain::TransferEvent& event)
                          {
                              if (event.kind == geotrain::TransferEvent::Kind::Delivered)
                              {
                                  delivered.push_back({event.transfer, event.at, bytes});
                              }
                          });
    }

    void Run(geotrain::Instant deadline = geotrain::Instant::Never())
    {
        network->GetClock().Run(deadline);
    }

    /// Bytes of the messages delivered from `begin` to `end`.
    std::int64_t DeliveredBetween(geotrain::Instant begin, geotrain::Instant end) const
    {
        std::int64_t sum = 0;
        for (const auto& message : delivered)
        {
            sum += begin <= message.at && message.at < end ? message.bytes : 0;
        }
        return sum;
    }

    static geotrain::Instant AtSeconds(double seconds)
    {
        return geotrain::Instant() + geotrain::Duration::Seconds(seconds);
    }

    struct Delivery
    {
        geotrain::TransferNumber transfer;
        geotrain::Instant at;
        std::int64_t bytes;
    };

    TrainingNetworkHelper helper;
    std::unique_ptr<BuiltWan> wan;
    std::unique_ptr<ExpressWan> express;
    Ptr<TrainingNetwork> network;
    std::vector<Delivery> delivered;
};

} // namespace ns3
