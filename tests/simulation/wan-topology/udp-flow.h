// SPDX-License-Identifier: GPL-2.0-only
// Sends a constant-rate stream of UDP packets between two nodes of a built WAN and records what
// arrived. Its fixture leaves no state of ns-3 behind.
#pragma once

#include "wan-topology/helper/wan-builder.h"

#include <ns3/rng-seed-manager.h>
#include <ns3/simulator.h>
#include <ns3/socket.h>

#include <gtest/gtest.h>

namespace ns3
{

class WanSimulation : public testing::Test
{
  protected:
    void SetUp() override
    {
        RngSeedManager::SetSeed(1);
        RngSeedManager::SetRun(1);
    }

    void TearDown() override
    {
        Simulator::Destroy();
    }
};

class UdpFlow
{
  public:
    /// Sends IP packets of `packetBytes` at `rate` from `start` until `stop`. The flow must live as
    /// long as the simulation.
    UdpFlow(const BuiltWan& wan,
            std::uint32_t from,
            std::uint32_t to,
            geotrain::BitRate rate,
            std::uint32_t packetBytes,
            Time start,
            Time stop);
    UdpFlow(const UdpFlow&) = delete;

    std::uint64_t Sent() const;
    std::uint64_t Received() const;
    Time FirstArrival() const;

    /// Returns the rate of IP packets that arrived in [from, to), in Gbit/s.
    double ReceivedGbps(Time from, Time to) const;

  private:
    void Send();
    void Receive(Ptr<Socket> socket);

    std::uint32_t m_packetBytes;
    Time m_interval;
    Time m_stop;
    Ptr<Socket> m_sender;
    Ptr<Socket> m_receiver;
    std::uint64_t m_sent = 0;
    std::vector<std::int64_t> m_arrivalsNs;
};

/// Returns data centres "dc-0", "dc-1", ... in a chain, 20 ms and 100 Gbit/s between neighbours,
/// each with `nodes` nodes of 100 Gbit/s, 10 us apart; MTU 9000.
geotrain::WanTopology Chain(std::uint32_t sites, std::uint32_t nodes);

} // namespace ns3
