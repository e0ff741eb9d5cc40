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
      m_relays(sites.MakeRelays(layer, [this](const std::string& reason) { FailSoon(reason); })),
      m_feed(sites.Pipelines(),
             m_job,
             [this](std::size_t number, bool isBackward) { FeedRelays(number, isBackward); }),
      m_pulls(sites.Workers()),
      m_pushes(sites.Workers()),
      m_watch(layer.GetClock(),
              sites.Aggregation(),
              {[this] { return Sites().Progress() + (m_relays ? m_relays->Progress() : 0); },
               [this] { return IsBusy(); },
               [this] { return HasOpen() || m_computing > 0; }},
              [this] { FailSoon(WhoWaits()); })
{
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
        if (Sites().HasPackets())
        {
            m_watch.Begin();
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
