// SPDX-License-Identifier: GPL-2.0-only
#include "in-network-optimizer/helper/in-network-collectives.h"

#include <ns3/abort.h>

#include <utility>

namespace ns3
{

using geotrain::Bytes;
using geotrain::CollectiveKind;
using geotrain::Instant;

InNetworkCollectives::InNetworkCollectives(geotrain::MessageLayer& layer,
                                           OptimizerSites& sites,
                                           InNetworkJob job)
    : m_clock(layer.GetClock()),
      m_sites(sites),
      m_job(std::move(job)),
      m_relays(sites.MakeRelays(layer, [this](const std::string& reason) { FailSoon(reason); })),
      m_feed(sites.Pipelines(),
             m_job,
             [this](std::size_t number, bool isBackward) { FeedRelays(number, isBackward); }),
      m_pulls(sites.Workers()),
      m_pushes(sites.Workers())
{
    NS_ABORT_MSG_IF(m_job.parameters.empty(), "there is nothing to train");
}

void
InNetworkCollectives::SetOthers(std::unique_ptr<geotrain::Collectives> others)
{
    m_others = std::move(others);
}

void
InNetworkCollectives::FeedRelays(std::size_t layer, bool isBackward)
{
    if (!m_relays)
    {
        return;
    }
    const std::uint32_t server = m_feed.ServerOf(layer);
    const Bytes length = Bytes::Of(2 * m_job.parameters[layer]);
    m_relays->Pull(server, length);
    if (isBackward)
    {
        m_relays->Push(server, length);
    }
}

geotrain::CollectiveHandle
InNetworkCollectives::Join(const geotrain::CollectiveRequest& request,
                           std::uint32_t member,
                           geotrain::CollectiveCallback callback)
{
    if (request.kind != CollectiveKind::Pull && request.kind != CollectiveKind::Push)
    {
        return m_others->Join(request, member, std::move(callback));
    }
    const Key key{request.number, member};
    const auto done = [this, key, size = request.size] { EndSoon(key, size); };
    m_open[key] = std::move(callback);
    m_feed.Feed();
    if (request.kind == CollectiveKind::Pull)
    {
        const std::size_t layer = m_job.LayerOfPull(m_pulls.at(member)++);
        m_sites.Worker(member, m_feed.ServerOf(layer)).Pull(request.size, done);
    }
    else
    {
        const std::size_t layer = m_job.LayerOfPush(m_pushes.at(member)++);
        m_sites.Worker(member, m_feed.ServerOf(layer)).Push(request.size, done);
    }
    return {request.number};
}

void
InNetworkCollectives::Cancel(geotrain::CollectiveHandle collective)
{
    const auto begin = m_open.lower_bound({collective.number, 0});
    const auto end = m_open.lower_bound({collective.number + 1, 0});
    if (begin == end && m_others)
    {
        m_others->Cancel(collective);
    }
    m_open.erase(begin, end);
}

/// Ends a request in an event of the clock, after which the run may stop.
void
InNetworkCollectives::EndSoon(const Key& key, Bytes size)
{
    m_clock.Schedule(m_clock.Now(), [this, key, size] { End(key, size); });
}

/// Calls the worker back, unless the request was cancelled.
void
InNetworkCollectives::End(const Key& key, Bytes size)
{
    auto open = m_open.extract(key);
    if (!open.empty())
    {
        m_carried = m_carried + size;
        open.mapped()(m_clock.Now(), {});
    }
}

void
InNetworkCollectives::FailSoon(const std::string& reason)
{
    m_clock.Schedule(m_clock.Now(), [this, reason] { FailAll(reason); });
}

void
InNetworkCollectives::FailAll(const std::string& failure)
{
    const auto open = std::exchange(m_open, {});
    for (const auto& [key, callback] : open)
    {
        callback(m_clock.Now(), failure);
    }
}

bool
InNetworkCollectives::HasOpen() const
{
    return !m_open.empty();
}

const WanRelays*
InNetworkCollectives::Relays() const
{
    return m_relays.get();
}

geotrain::NetworkCounters
InNetworkCollectives::Counters() const
{
    geotrain::NetworkCounters counters;
    counters.intraDcPayload = m_carried;
    return counters;
}

PacketInNetworkCollectives::PacketInNetworkCollectives(geotrain::MessageLayer& layer,
                                                       InNetworkSites& sites,
                                                       InNetworkJob job)
    : InNetworkCollectives(layer, sites, std::move(job)),
      m_sites(sites),
      m_watch(
          sites.Home().Settings().aggregation,
          [this] { return m_sites.Progress() + (Relays() ? Relays()->Progress() : 0); },
          [this] { return m_computing > 0 || m_sites.Home().IsServing(); },
          [this] { return HasOpen() || m_computing > 0; },
          [this] { FailSoon(WhoWaits()); })
{
}

geotrain::CollectiveHandle
PacketInNetworkCollectives::Join(const geotrain::CollectiveRequest& request,
                                 std::uint32_t member,
                                 geotrain::CollectiveCallback callback)
{
    const auto handle = InNetworkCollectives::Join(request, member, std::move(callback));
    if (request.kind == CollectiveKind::Pull)
    {
        m_watch.Begin();
    }
    return handle;
}

std::string
PacketInNetworkCollectives::WhoWaits() const
{
    std::vector<std::string> waits = m_sites.Waits();
    if (Relays())
    {
        Relays()->ListWaits(waits);
    }
    std::string reason = "the in-network optimizer stands still";
    for (const std::string& wait : waits)
    {
        reason += "; " + wait;
    }
    return reason;
}

geotrain::NetworkCounters
PacketInNetworkCollectives::Counters() const
{
    geotrain::NetworkCounters counters = InNetworkCollectives::Counters();
    m_sites.AddPackets(counters);
    return counters;
}

void
PacketInNetworkCollectives::InstructionStarted(geotrain::WorkerIndex /*worker*/,
                                               std::uint32_t /*iteration*/,
                                               const geotrain::Instruction& /*instruction*/,
                                               Instant /*start*/)
{
    ++m_computing;
}

void
PacketInNetworkCollectives::InstructionEnded(geotrain::WorkerIndex /*worker*/,
                                             std::uint32_t /*iteration*/,
                                             const geotrain::Instruction& /*instruction*/,
                                             Instant /*start*/,
                                             Instant /*end*/)
{
    --m_computing;
}

} // namespace ns3
