// SPDX-License-Identifier: GPL-2.0-only
#include "in-network/wan-relays.h"

namespace geotrain
{

WanRelays::WanRelays(MessageLayer& layer,
                     const InNetworkWan& wan,
                     std::uint32_t servers,
                     const EndOf& home,
                     const EndOf& edge,
                     const WanRelay::FailureCallback& failed)
    : m_pulls(servers),
      m_pushes(servers)
{
    for (std::uint32_t server = 0; server < servers; ++server)
    {
        for (std::size_t site = 0; site < wan.sites.size(); ++site)
        {
            const InNetworkWan::Site& other = wan.sites[site];
            const std::string ofServer = " of server " + std::to_string(server);
            const auto make = [&](NodeIndex from, NodeIndex to, bool isPull)
            {
                const WanRelay::Settings settings{
                    from, to, other.delay, wan.relayBuffer, wan.block};
                return std::make_unique<WanRelay>(layer,
                                                  settings,
                                                  (isPull ? home : edge)(site, server),
                                                  (isPull ? edge : home)(site, server),
                                                  failed);
            };
            const std::string name = "relays to " + other.cluster.name;
            m_pulls[server].push_back(
                {name + ", parameters" + ofServer, make(wan.relay, other.relay, true)});
            m_pushes[server].push_back(
                {name + ", gradients" + ofServer, make(other.relay, wan.relay, false)});
        }
    }
}

void
WanRelays::Pull(std::uint32_t server, Bytes length)
{
    for (const Relay& relay : m_pulls[server])
    {
        relay.relay->Add(length);
    }
}

void
WanRelays::Push(std::uint32_t server, Bytes length)
{
    for (const Relay& relay : m_pushes[server])
    {
        relay.relay->Add(length);
    }
}

std::int64_t
WanRelays::Progress() const
{
    std::int64_t progress = 0;
    for (const auto* streams : {&m_pulls, &m_pushes})
    {
        for (const Relays& relays : *streams)
        {
            for (const Relay& relay : relays)
            {
                progress += relay.relay->Progress();
            }
        }
    }
    return progress;
}

void
WanRelays::ListWaits(std::vector<std::string>& waits) const
{
    for (const auto* streams : {&m_pulls, &m_pushes})
    {
        for (const Relays& relays : *streams)
        {
            for (const Relay& relay : relays)
            {
                const std::string wait = relay.relay->Wait();
                if (!wait.empty())
                {
                    waits.push_back(relay.name + ": " + wait);
                }
            }
        }
    }
}

} // namespace geotrain
