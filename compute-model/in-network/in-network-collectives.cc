// SPDX-License-Identifier: GPL-2.0-only
#include "in-network/in-network-collectives.h"

#include <algorithm>
#include <utility>

namespace geotrain
{

InNetworkCollectives::InNetworkCollectives(MessageLayer& layer,
                                           OptimizerSites& sites,
                                           InNetworkJob job)
    : StreamCollectives(layer.GetClock(), sites),
      m_job(std::move(job)),
      m_relays(layer, sites, [this](const std::string& reason) { FailSoon(reason); }),
      m_feed(sites.Pipelines(),
             m_job,
             [this](std::size_t number, bool isBackward) { FeedRelays(number, isBackward); }),
      m_pulls(sites.Workers()),
      m_pushes(sites.Workers())
{
}

InNetworkCollectives::~InNetworkCollectives()
{
    if (m_isLooking)
    {
        GetClock().Cancel(m_nextLook);
    }
}

void
InNetworkCollectives::FeedRelays(std::size_t layer, bool isBackward)
{
    const std::uint32_t server = m_feed.ServerOf(layer);
    const Bytes length = Bytes::Of(2 * m_job.parameters[layer]);
    m_relays.Carry(WanRelays::Direction::Parameters, server, length);
    if (isBackward)
    {
        m_relays.Carry(WanRelays::Direction::Gradients, server, length);
    }
}

/// Looks once a timeout whether anything comes forward or somebody works.
void
InNetworkCollectives::LookWhetherItStands()
{
    const AggregationSettings& settings = Sites().Aggregation();
    const std::int64_t progress = Sites().Progress() + m_relays.Progress();
    m_idleLooks = progress == m_lastProgress && !IsBusy() ? m_idleLooks + 1 : 0;
    m_lastProgress = progress;
    m_isLooking = false;
    if (!HasOpen() && m_computing == 0)
    {
        return;
    }
    if (m_idleLooks > settings.retries + 1)
    {
        FailSoon(WhoWaits());
        return;
    }
    m_isLooking = true;
    m_nextLook =
        GetClock().Schedule(GetClock().Now() + settings.timeout, [this] { LookWhetherItStands(); });
}

CollectiveHandle
InNetworkCollectives::Join(const CollectiveRequest& request,
                           std::uint32_t member,
                           CollectiveCallback callback)
{
    if (!IsInNetwork(request.kind))
    {
        return JoinOthers(request, member, std::move(callback));
    }
    const auto done = Open(request, member, std::move(callback), request.size);
    m_feed.Feed();
    if (request.kind == CollectiveKind::Pull)
    {
        const std::size_t layer = m_job.LayerOfPull(m_pulls.at(member)++);
        Sites().Worker(member, m_feed.ServerOf(layer)).Pull(request.size, done);
        if (Sites().HasPackets() && !m_isLooking)
        {
            LookWhetherItStands();
        }
    }
    else
    {
        const std::size_t layer = m_job.LayerOfPush(m_pushes.at(member)++);
        Sites().Worker(member, m_feed.ServerOf(layer)).Push(request.size, done);
    }
    return {request.number};
}

bool
InNetworkCollectives::IsBusy() const
{
    const std::vector<LayerPipeline*> pipelines = Sites().Pipelines();
    return m_computing > 0 ||
           std::any_of(pipelines.begin(),
                       pipelines.end(),
                       [](const auto* pipeline) { return pipeline->IsWorking(); });
}

std::string
InNetworkCollectives::WhoWaits() const
{
    std::vector<std::string> waits = Sites().Waits();
    m_relays.ListWaits(waits);
    std::string reason = "the in-network optimizer stands still";
    for (const std::string& wait : waits)
    {
        reason += "; " + wait;
    }
    return reason;
}

void
InNetworkCollectives::InstructionStarted(WorkerIndex /*worker*/,
                                         std::uint32_t /*iteration*/,
                                         const Instruction& /*instruction*/,
                                         Instant /*start*/)
{
    ++m_computing;
}

void
InNetworkCollectives::InstructionEnded(WorkerIndex /*worker*/,
                                       std::uint32_t /*iteration*/,
                                       const Instruction& /*instruction*/,
                                       Instant /*start*/,
                                       Instant /*end*/)
{
    --m_computing;
}

} // namespace geotrain
