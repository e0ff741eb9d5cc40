// SPDX-License-Identifier: GPL-2.0-only
// Makes a training network over two data centres, with one node each unless a test says otherwise:
//
//   node 0 --100 Gbit/s-- dc-a ==== rate, delay, loss ==== dc-b --100 Gbit/s-- node 1
#pragma once

#include "training-network/helper/bearer-kinds.h"
#include "training-network/model/training-network.h"

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
    9000 - 52; ///< payload per packet at MTU 9000, less IPv4, TCP and timestamps
constexpr std::int64_t FRAME = 32;       ///< bytes that precede a message in the stream
constexpr std::int64_t WINDOW = 1500000; ///< bytes of a connection, unless a test says otherwise
constexpr std::int64_t PIECE = 100000;   ///< bytes; small beside what is measured

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
        bearer.reset();
        Simulator::Destroy();
        Config::Reset();
    }

    void Install(const geotrain::WanTopology& topology)
    {
        Install("stock", topology);
    }

    /// Installs bulk-tcp over light links instead of ns-3's TCP over devices.
    void InstallExpress(const geotrain::WanTopology& topology)
    {
        Install("express", topology);
    }

    /// Installs bulk-tcp over devices.
    void InstallDevice(const geotrain::WanTopology& topology)
    {
        Install("device", topology);
    }

    void Install(const std::string& name, const geotrain::WanTopology& topology)
    {
        bearer = MakeBearer(name, topology);
        network = CreateObject<TrainingNetwork>(
            bearer->Links(), bearer->MakeTransport(transport), counts);
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

    /// Returns the bytes of the messages delivered from `begin` to `end`.
    std::int64_t DeliveredBetween(geotrain::Instant begin, geotrain::Instant end) const
    {
        std::int64_t sum = 0;
        for (const auto& message : delivered)
        {
            sum += begin <= message.at && message.at < end ? message.bytes : 0;
        }
        return sum;
    }

    /// Returns the payload per second over 2 s from time 0, over `connections` that are warmed
    /// first.
    double WarmRate(std::uint32_t connections)
    {
        network->Prepare({{0, 1, geotrain::Bytes::Of(4 * WINDOW * connections)}});
        for (std::int64_t sent = 0; sent < 1300000000; sent += PIECE)
        {
            Send(PIECE, static_cast<std::uint32_t>(sent / PIECE) % connections);
        }
        Run(AtSeconds(2));
        return static_cast<double>(DeliveredBetween(geotrain::Instant(), AtSeconds(2))) / 2;
    }

    /// Expects of one connection between `sites`, from its third second on, that rate = window /
    /// RTT, with RTT = propagation there and back + a packet's serialisation at 10 Gbit/s and twice
    /// at 100 Gbit/s. The tolerance is 3 %: whole segments leave 0.4 % of the window unused, and
    /// delayed acknowledgements half a segment.
    void ExpectWindowOverRoundTripTime(const TwoSites& sites)
    {
        const double rtt = sites.roundTrip.ToSeconds() + 9000 * 8 / 10e9 + 2 * 9000 * 8 / 100e9;
        const double expected = WINDOW / rtt; // bytes/s
        for (std::int64_t sent = 0; sent < static_cast<std::int64_t>(expected * 3.2); sent += PIECE)
        {
            Send(PIECE);
        }
        Run(AtSeconds(3));
        const auto carried = static_cast<double>(DeliveredBetween(AtSeconds(2), AtSeconds(3)));
        EXPECT_NEAR(carried / expected, 1, 0.03);
        RecordProperty("mbit_per_s", static_cast<int>(carried * 8 / 1e6));
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

    TransportOptions transport;
    TrainingNetwork::ConnectionCounts counts;
    std::unique_ptr<Bearer> bearer;
    Ptr<TrainingNetwork> network;
    std::vector<Delivery> delivered;
};

} // namespace ns3
