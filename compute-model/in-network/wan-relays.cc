// SPDX-License-Identifier: GPL-2.0-only
#include "in-network/wan-relays.h"

namespace geotrain
{

WanRelays::WanRelays(MessageLayer& layer,
                     OptimizerSites& sites,
                     const WanRelay::FailureCallback& failed)
{
    const std::size_t count = sites.Wan() ? sites.Wan()->sites.size() : 0;
    for (const Direction direction : {Direction::Parameters, Direction::Gradients})
    {
        const bool isOut = direction == Direction::Parameters;
        for (std::uint32_t server = 0; server < sites.Servers(); ++server)
        {
            for (std::size_t site = 0; site < count; ++site)
            {
                const InNetworkWan& wan = *sites.Wan();
                const InNetworkWan::Site& other = wan.sites[site];
                StreamEnd& home = sites.RelayAtServers(site, server);
                StreamEnd& away = sites.RelayAtSite(site, server);
                const WanRelay::Settings settings{isOut ? wan.relay : other.relay,
                                                  isOut ? other.relay : wan.relay,
                                                  other.delay,
                                                  wan.relayBuffer,
                                                  wan.block};
                m_relays.push_back(
                    {direction,
                     server,
                     "relays to " + other.cluster.name + (isOut ? ", parameters" : ", gradients") +
                         " of server " + std::to_string(server),
                     std::make_unique<WanRelay>(
                         layer, settings, isOut ? home : away, isOut ? away : home, failed)});
            }
        }
    }
}

void
WanRelays::Carry(Direction direction, std::uint32_t server, Bytes length)
{
    for (const Relay& relay : m_relays)
    {
        if (relay.direction == direction && relay.server == server)
        {
            relay.relay->Add(length);
        }
    }
}

std::int64_t
WanRelays::Progress() const
{
    std::int64_t progress = 0;
    for (const Relay& relay : m_relays)
    {
        progress += relay.relay->Progress();
    }
    return progress;
}

void
WanRelays::ListWaits(std::vector<std::string>& waits) const
{
    for (const Relay& relay : m_relays)
    {
        const std::string wait = relay.relay->Wait();
        if (!wait.empty())
        {
            waits.push_back(relay.name + ": " + wait);
        }
    }
}

} // namespace geotrain
