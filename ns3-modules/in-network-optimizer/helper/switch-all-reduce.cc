// SPDX-License-Identifier: GPL-2.0-only
#include "in-network-optimizer/helper/switch-all-reduce.h"

#include <algorithm>
#include <utility>

namespace ns3
{

using geotrain::BitRate;
using geotrain::Bytes;

SwitchAllReduce::SwitchAllReduce(geotrain::Clock& clock, std::vector<StreamEnd*> ends)
    : m_clock(clock),
      m_ends(std::move(ends))
{
}

void
SwitchAllReduce::SetOthers(std::unique_ptr<geotrain::Collectives> others)
{
    m_others = std::move(others);
}

geotrain::CollectiveHandle
SwitchAllReduce::Join(const geotrain::CollectiveRequest& request,
                      std::uint32_t member,
                      geotrain::CollectiveCallback callback)
{
    if (request.kind != geotrain::CollectiveKind::AllReduce ||
        request.members.size() != m_ends.size())
    {
        return m_others->Join(request, member, std::move(callback));
    }
    const Key key{request.number, member};
    const Bytes size = request.size;
    m_open[key] = std::move(callback);
    // It ends in an event of the clock, after which the run may stop.
    m_ends[member]->Pull(size,
                         [this, key, size] {
                             m_clock.Schedule(m_clock.Now(), [this, key, size] { End(key, size); });
                         });
    m_ends[member]->Push(size, {});
    return {request.number};
}

void
SwitchAllReduce::End(const Key& key, Bytes size)
{
    auto open = m_open.extract(key);
    if (!open.empty())
    {
        m_carried = m_carried + size * 2;
        open.mapped()(m_clock.Now(), {});
    }
}

void
SwitchAllReduce::Cancel(geotrain::CollectiveHandle collective)
{
    const auto begin = m_open.lower_bound({collective.number, 0});
    const auto end = m_open.lower_bound({collective.number + 1, 0});
    if (begin == end)
    {
        m_others->Cancel(collective);
    }
    m_open.erase(begin, end);
}

Bytes
SwitchAllReduce::Carried() const
{
    return m_carried;
}

TransferEstimate
EstimateAllReduce(const InNetworkClusterSettings& settings)
{
    const AggregationSettings& aggregation = settings.aggregation;
    const bool hasTrunks = settings.switches.size() > 1;
    const BitRate slowest = std::min({settings.nicRate,
                                      hasTrunks ? settings.trunkRate : settings.nicRate,
                                      settings.hostCap.value_or(settings.nicRate)});
    const double bytesPerSecond = static_cast<double>(slowest.ToBitsPerSecond()) / 8;
    const auto wire = static_cast<double>((aggregation.payload + aggregation.header).Count());
    const auto hops = 2 * static_cast<double>(settings.switches.size());
    // The last packet leaves with the others, and is sent again at each switch.
    const double loop = hops * settings.linkDelay.ToSeconds() + (hops - 1) * wire / bytesPerSecond;
    const double line = bytesPerSecond * static_cast<double>(aggregation.payload.Count()) / wire;
    const auto window =
        static_cast<double>((aggregation.payload * aggregation.WindowPackets()).Count());
    return {std::min(line, window / (loop + wire / bytesPerSecond)), loop};
}

PipedSwitch::PipedSwitch(geotrain::Clock& clock, const InNetworkClusterSettings& settings)
    : m_links({}),
      m_pipe(clock,
             EstimateAllReduce(settings),
             m_links,
             {EstimateAllReduce(settings).bytesPerSecond, {}},
             settings.workers,
             [](std::size_t /*end*/) { return false; })
{
    for (std::uint32_t worker = 0; worker < settings.workers; ++worker)
    {
        m_workers.emplace_back(m_pipe, worker);
    }
}

StreamEnd&
PipedSwitch::Worker(std::uint32_t worker)
{
    return m_workers[worker];
}

} // namespace ns3
