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

std::size_t
InNetworkJob::LayerOfPull(std::size_t pull) const
{
    const std::size_t count = parameters.size();
    const std::size_t place = pull % (2 * count);
    return place < count ? place : 2 * count - 1 - place;
}

std::size_t
InNetworkJob::LayerOfPush(std::size_t push) const
{
    return parameters.size() - 1 - push % parameters.size();
}

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

PacketInNetworkCollectives::PacketInNetworkCollectives(geotrain::Clock& clock,
                                                       InNetworkCluster& cluster,
                                                       InNetworkJob job)
    : InNetworkCollectives(std::move(job), cluster.Settings().workers),
      m_clock(clock),
      m_cluster(cluster),
      m_watch([this] { Look(); })
{
    for (std::uint32_t server = 0; server < cluster.Settings().servers; ++server)
    {
        cluster.Server(server).Pipeline().OnThrough(
            [this](bool isBackward)
            {
                m_updatedLayers += isBackward ? 1 : 0;
                Feed();
            });
    }
}

/// Tells the servers of the layers to come. The first layers of the next iteration are read while
/// the last ones are updated.
void
PacketInNetworkCollectives::Feed()
{
    const std::size_t layers = Job().parameters.size();
    const std::size_t ahead = m_updatedLayers / layers + 2;
    for (; m_fedIterations < std::min<std::size_t>(Job().iterations, ahead); ++m_fedIterations)
    {
        for (std::size_t pull = 0; pull < 2 * layers; ++pull)
        {
            const std::size_t layer = Job().LayerOfPull(pull);
            const auto server = static_cast<std::uint32_t>(layer % m_cluster.Settings().servers);
            m_cluster.Server(server).Pipeline().Add(layer, Job().parameters[layer], pull >= layers);
        }
    }
}

void
PacketInNetworkCollectives::Pull(const Request& request)
{
    if (m_fedIterations == 0)
    {
        Feed();
    }
    const auto server = static_cast<std::uint32_t>(Job().LayerOfPull(request.ofMember) %
                                                   m_cluster.Settings().servers);
    m_cluster.Worker(request.member, server)
        .Pull(request.size, [this, request] { EndSoon(request); });
    if (!m_watch.IsSet())
    {
        Look();
    }
}

void
PacketInNetworkCollectives::Push(const Request& request)
{
    const auto server = static_cast<std::uint32_t>(Job().LayerOfPush(request.ofMember) %
                                                   m_cluster.Settings().servers);
    m_cluster.Worker(request.member, server)
        .Push(request.size, [this, request] { EndSoon(request); });
}

/// Ends a request in an event of the clock, after which the run may stop.
void
PacketInNetworkCollectives::EndSoon(const Request& request)
{
    m_clock.Schedule(m_clock.Now(), [this, request] { End(request, m_clock.Now()); });
}

void
PacketInNetworkCollectives::Look()
{
    const std::int64_t progress = m_cluster.Progress();
    const bool isIdle = progress == m_lastProgress && m_computing == 0 && !m_cluster.IsServing();
    m_idleLooks = isIdle ? m_idleLooks + 1 : 0;
    m_lastProgress = progress;
    const AggregationSettings& settings = m_cluster.Settings().aggregation;
    if (m_idleLooks > settings.retries + 1)
    {
        std::string reason = "the in-network optimizer stands still";
        for (const std::string& wait : m_cluster.Waits())
        {
            reason += "; " + wait;
        }
        m_clock.Schedule(m_clock.Now(), [this, reason] { FailAll(m_clock.Now(), reason); });
    }
    else if (HasOpen() || m_computing > 0)
    {
        m_watch.Set(NowNs() + settings.timeout.ToNanoseconds());
    }
}

geotrain::NetworkCounters
PacketInNetworkCollectives::Counters() const
{
    geotrain::NetworkCounters counters;
    counters.intraDcPayload = m_carried;
    for (const auto& link : m_cluster.Links())
    {
        const LinkModel::Counters& own = link->Model().GetCounters();
        counters.intraDcPackets += static_cast<std::uint64_t>(own.acceptedPackets);
        counters.droppedPackets += static_cast<std::uint64_t>(own.lostPackets);
    }
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

EstimatedInNetworkCollectives::EstimatedInNetworkCollectives(
    geotrain::Clock& clock, const InNetworkClusterSettings& settings, InNetworkJob job)
    : InNetworkCollectives(std::move(job), settings.workers),
      m_clock(clock),
      m_settings(settings),
      m_server(m_settings, Job().parameters.size()),
      m_updates(Job().parameters.size())
{
}

EstimatedInNetworkCollectives::~EstimatedInNetworkCollectives()
{
    for (const geotrain::Clock::EventNumber event : m_events)
    {
        m_clock.Cancel(event);
    }
}

void
EstimatedInNetworkCollectives::Pull(const Request& request)
{
    m_asked[request.ofMember].push_back(request);
    m_last[request.ofMember] = m_clock.Now();
    ServePulls();
}

/// Serves the pulls that all workers have asked for, in their order. A layer whose last update is
/// still to come waits for it, and those behind it wait too.
void
EstimatedInNetworkCollectives::ServePulls()
{
    const std::size_t layers = Job().parameters.size();
    for (;;)
    {
        const auto asked = m_asked.find(m_served);
        const std::size_t layer = Job().LayerOfPull(m_served);
        if (asked == m_asked.end() || asked->second.size() < m_settings.workers ||
            m_updates[layer] < m_served / (2 * layers))
        {
            return;
        }
        EndAt(asked->second,
              m_server.Pull(layer, Job().parameters[layer], m_last.at(m_served).ToSeconds()));
        m_last.erase(m_served);
        m_asked.erase(asked);
        ++m_served;
    }
}

void
EstimatedInNetworkCollectives::Push(const Request& request)
{
    Round& round = m_given[request.ofMember];
    round.push_back(request);
    if (round.size() < m_settings.workers)
    {
        return;
    }
    const std::size_t layer = Job().LayerOfPush(request.ofMember);
    EndAt(round, m_server.Push(layer, Job().parameters[layer], m_clock.Now().ToSeconds()));
    m_given.erase(request.ofMember);
    ++m_updates[layer];
    ServePulls();
}

void
EstimatedInNetworkCollectives::EndAt(const Round& round, double seconds)
{
    const Instant at = std::max(m_clock.Now(), Instant() + Duration::Seconds(seconds));
    m_events.push_back(m_clock.Schedule(at,
                                        [this, round, at]
                                        {
                                            for (const Request& request : round)
                                            {
                                                End(request, at);
                                            }
                                        }));
}

geotrain::NetworkCounters
EstimatedInNetworkCollectives::Counters() const
{
    geotrain::NetworkCounters counters;
    counters.intraDcPayload = m_carried;
    return counters;
}

} // namespace ns3
