// SPDX-License-Identifier: GPL-2.0-only
#include "in-network-optimizer/helper/in-network-collectives.h"

#include <ns3/abort.h>

#include <algorithm>
#include <utility>

namespace ns3
{

using geotrain::Bytes;
using geotrain::Duration;
using geotrain::Instant;

InNetworkCollectives::InNetworkCollectives(InNetworkJob job, std::uint32_t workers)
    : m_job(std::move(job)),
      m_pulls(workers),
      m_pushes(workers)
{
    NS_ABORT_MSG_IF(m_job.parameters.empty(), "there is nothing to train");
}

void
InNetworkCollectives::SetOthers(std::unique_ptr<geotrain::Collectives> others)
{
    m_others = std::move(others);
}

geotrain::CollectiveHandle
InNetworkCollectives::Join(const geotrain::CollectiveRequest& request,
                           std::uint32_t member,
                           geotrain::CollectiveCallback callback)
{
    const bool isPull = request.kind == geotrain::CollectiveKind::Pull;
    if (!isPull && request.kind != geotrain::CollectiveKind::Push)
    {
        return m_others->Join(request, member, std::move(callback));
    }
    std::size_t& made = (isPull ? m_pulls : m_pushes).at(member);
    const Request own{request.number, member, made++, request.size};
    m_open[{own.number, member}] = std::move(callback);
    isPull ? Pull(own) : Push(own);
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

void
InNetworkCollectives::End(const Request& request, Instant at, const std::string& failure)
{
    auto open = m_open.extract({request.number, request.member});
    if (!open.empty())
    {
        m_carried = m_carried + request.size;
        open.mapped()(at, failure);
    }
}

void
InNetworkCollectives::FailAll(Instant at, const std::string& failure)
{
    const auto open = std::exchange(m_open, {});
    for (const auto& [key, callback] : open)
    {
        callback(at, failure);
    }
}

bool
InNetworkCollectives::HasOpen() const
{
    return !m_open.empty();
}

const InNetworkJob&
InNetworkCollectives::Job() const
{
    return m_job;
}

PacketInNetworkCollectives::PacketInNetworkCollectives(geotrain::MessageLayer& layer,
                                                       InNetworkSites& sites,
                                                       InNetworkJob job)
    : InNetworkCollectives(std::move(job), sites.Workers()),
      m_clock(layer.GetClock()),
      m_sites(sites),
      m_relays(sites.MakeRelays(layer, [this](const std::string& reason) { FailSoon(reason); })),
      m_feed(sites.Home(),
             Job(),
             [this](std::size_t number, bool isBackward) { FeedRelays(number, isBackward); }),
      m_watch(
          sites.Home().Settings().aggregation,
          [this] { return m_sites.Progress() + (m_relays ? m_relays->Progress() : 0); },
          [this] { return m_computing > 0 || m_sites.Home().IsServing(); },
          [this] { return HasOpen() || m_computing > 0; },
          [this] { FailSoon(WhoWaits()); })
{
}

void
PacketInNetworkCollectives::FeedRelays(std::size_t layer, bool isBackward)
{
    if (!m_relays)
    {
        return;
    }
    const std::uint32_t server = m_feed.ServerOf(layer);
    const Bytes length = Bytes::Of(2 * Job().parameters[layer]);
    m_relays->Pull(server, length);
    if (isBackward)
    {
        m_relays->Push(server, length);
    }
}

void
PacketInNetworkCollectives::Pull(const Request& request)
{
    m_feed.Feed();
    m_sites.Worker(request.member, m_feed.ServerOf(Job().LayerOfPull(request.ofMember)))
        .Pull(request.size, [this, request] { EndSoon(request); });
    m_watch.Begin();
}

void
PacketInNetworkCollectives::Push(const Request& request)
{
    m_sites.Worker(request.member, m_feed.ServerOf(Job().LayerOfPush(request.ofMember)))
        .Push(request.size, [this, request] { EndSoon(request); });
}

/// Ends a request in an event of the clock, after which the run may stop.
void
PacketInNetworkCollectives::EndSoon(const Request& request)
{
    m_clock.Schedule(m_clock.Now(), [this, request] { End(request, m_clock.Now()); });
}

std::string
PacketInNetworkCollectives::WhoWaits() const
{
    std::vector<std::string> waits = m_sites.Waits();
    if (m_relays)
    {
        m_relays->ListWaits(waits);
    }
    std::string reason = "the in-network optimizer stands still";
    for (const std::string& wait : waits)
    {
        reason += "; " + wait;
    }
    return reason;
}

void
PacketInNetworkCollectives::FailSoon(const std::string& reason)
{
    m_clock.Schedule(m_clock.Now(), [this, reason] { FailAll(m_clock.Now(), reason); });
}

geotrain::NetworkCounters
PacketInNetworkCollectives::Counters() const
{
    geotrain::NetworkCounters counters;
    counters.intraDcPayload = m_carried;
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
