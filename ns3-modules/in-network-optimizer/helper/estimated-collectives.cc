// SPDX-License-Identifier: GPL-2.0-only
#include "in-network-optimizer/helper/estimated-collectives.h"

#include <algorithm>
#include <utility>

namespace ns3
{

using geotrain::Bytes;
using geotrain::Duration;
using geotrain::Instant;

EstimatedInNetworkCollectives::EstimatedInNetworkCollectives(
    geotrain::MessageLayer& layer,
    const InNetworkClusterSettings& servers,
    const std::optional<InNetworkWan>& wan,
    InNetworkJob job)
    : InNetworkCollectives(std::move(job),
                           wan ? static_cast<std::uint32_t>(wan->workers.size()) : servers.workers),
      m_clock(layer.GetClock()),
      m_settings(servers),
      m_wan(wan),
      m_server(m_settings, Job().parameters.size()),
      m_updates(Job().parameters.size())
{
    m_sites.push_back(std::make_unique<PipedSite>(m_clock, m_settings));
    for (std::size_t site = 0; m_wan && site < m_wan->sites.size(); ++site)
    {
        m_sites.push_back(std::make_unique<PipedSite>(m_clock, m_wan->sites[site].cluster));
    }
    m_relays = MakeRelays(layer);
}

EstimatedInNetworkCollectives::~EstimatedInNetworkCollectives()
{
    for (const geotrain::Clock::EventNumber event : m_events)
    {
        m_clock.Cancel(event);
    }
}

std::unique_ptr<WanRelays>
EstimatedInNetworkCollectives::MakeRelays(geotrain::MessageLayer& layer)
{
    if (!m_wan)
    {
        return nullptr;
    }
    return std::make_unique<WanRelays>(
        layer,
        *m_wan,
        1,
        [this](std::size_t site, std::uint32_t /*server*/) -> StreamEnd& {
            return m_sites.front()->Worker(m_settings.OwnWorkers() +
                                           static_cast<std::uint32_t>(site));
        },
        [this](std::size_t site, std::uint32_t /*server*/) -> StreamEnd&
        { return m_sites[site + 1]->Server(); },
        [this](const std::string& reason) { FailAll(m_clock.Now(), reason); });
}

StreamEnd&
EstimatedInNetworkCollectives::EndOf(std::uint32_t worker)
{
    const InNetworkWan::Place place =
        m_wan ? m_wan->workers[worker] : InNetworkWan::Place{0, worker};
    return m_sites[place.site]->Worker(place.number);
}

Bytes
EstimatedInNetworkCollectives::BytesOf(std::size_t layer) const
{
    return Bytes::Of(2 * Job().parameters[layer]);
}

void
EstimatedInNetworkCollectives::CallAt(double seconds, std::function<void()> call)
{
    const Instant at = std::max(m_clock.Now(), Instant() + Duration::Seconds(seconds));
    m_events.push_back(m_clock.Schedule(at, std::move(call)));
}

/// Begins to serve, and tells the relays of all layers to come.
void
EstimatedInNetworkCollectives::Begin()
{
    m_hasBegun = true;
    const std::size_t layers = Job().parameters.size();
    for (std::size_t pull = 0; m_relays && pull < 2 * layers * Job().iterations; ++pull)
    {
        m_relays->Pull(0, BytesOf(Job().LayerOfPull(pull)));
    }
    for (std::size_t push = 0; m_relays && push < layers * Job().iterations; ++push)
    {
        m_relays->Push(0, BytesOf(Job().LayerOfPush(push)));
    }
    ServePull();
    ServePush();
}

void
EstimatedInNetworkCollectives::Pull(const Request& request)
{
    if (!m_hasBegun)
    {
        Begin();
    }
    EndOf(request.member).Pull(request.size, [this, request] { End(request, m_clock.Now()); });
}

void
EstimatedInNetworkCollectives::Push(const Request& request)
{
    EndOf(request.member).Push(request.size, [this, request] { End(request, m_clock.Now()); });
}

/// Serves the pulls in their order. A layer whose last update is still to come waits for it, and
/// those behind it wait too.
void
EstimatedInNetworkCollectives::ServePull()
{
    const std::size_t layers = Job().parameters.size();
    const std::size_t layer = Job().LayerOfPull(m_pullsServed);
    const std::size_t iteration = m_pullsServed / (2 * layers);
    m_awaitsUpdate = m_updates[layer] < iteration;
    if (m_awaitsUpdate || iteration == Job().iterations)
    {
        return;
    }
    ++m_pullsServed;
    CallAt(m_server.BeginPull(layer, Job().parameters[layer]),
           [this, layer]
           {
               m_sites.front()->Server().Push(BytesOf(layer),
                                              [this]
                                              {
                                                  m_server.EndPull(m_clock.Now().ToSeconds());
                                                  ++m_pullsEnded;
                                                  ServePull();
                                                  if (m_awaitsPull)
                                                  {
                                                      ServePush();
                                                  }
                                              });
           });
}

/// Serves the pushes in their order. The gradients of a layer are asked for when all ends have
/// acknowledged its parameters.
void
EstimatedInNetworkCollectives::ServePush()
{
    const std::size_t layers = Job().parameters.size();
    if (m_pushesServed == layers * Job().iterations)
    {
        return;
    }
    const std::size_t pull =
        (m_pushesServed / layers * 2 + 1) * layers + m_pushesServed % layers; // of its backward
    m_awaitsPull = m_pullsEnded <= pull;
    if (m_awaitsPull)
    {
        return;
    }
    const std::size_t layer = Job().LayerOfPush(m_pushesServed++);
    CallAt(m_server.BeginPush(),
           [this, layer]
           {
               m_sites.front()->Server().Pull(
                   BytesOf(layer),
                   [this, layer]
                   {
                       m_server.EndPush(layer, Job().parameters[layer], m_clock.Now().ToSeconds());
                       ++m_updates[layer];
                       ServePush();
                       if (m_awaitsUpdate)
                       {
                           ServePull();
                       }
                   });
           });
}

geotrain::NetworkCounters
EstimatedInNetworkCollectives::Counters() const
{
    geotrain::NetworkCounters counters;
    counters.intraDcPayload = m_carried;
    return counters;
}

} // namespace ns3
