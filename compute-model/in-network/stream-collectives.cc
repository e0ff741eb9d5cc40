// SPDX-License-Identifier: GPL-2.0-only
#include "in-network/stream-collectives.h"

#include <utility>

namespace geotrain
{

StreamCollectives::StreamCollectives(Clock& clock, OptimizerSites& sites)
    : m_clock(clock),
      m_sites(sites)
{
}

void
StreamCollectives::SetOthers(std::unique_ptr<Collectives> others)
{
    m_others = std::move(others);
}

CollectiveHandle
StreamCollectives::JoinOthers(const CollectiveRequest& request,
                              std::uint32_t member,
                              CollectiveCallback callback)
{
    return m_others->Join(request, member, std::move(callback));
}

std::function<void()>
StreamCollectives::Open(const CollectiveRequest& request,
                        std::uint32_t member,
                        CollectiveCallback callback,
                        Bytes carried)
{
    const Key key{request.number, member};
    m_open[key] = std::move(callback);
    return [this, key, carried]
    { m_clock.Schedule(m_clock.Now(), [this, key, carried] { End(key, carried); }); };
}

/// Calls the worker back, unless the request was cancelled.
void
StreamCollectives::End(const Key& key, Bytes carried)
{
    auto open = m_open.extract(key);
    if (!open.empty())
    {
        m_carried = m_carried + carried;
        open.mapped()(m_clock.Now(), {});
    }
}

void
StreamCollectives::Cancel(CollectiveHandle collective)
{
    const auto begin = m_open.lower_bound({collective.number, 0});
    const auto end = m_open.lower_bound({collective.number + 1, 0});
    if (begin == end && m_others)
    {
        m_others->Cancel(collective);
    }
    m_open.erase(begin, end);
}

bool
StreamCollectives::HasOpen() const
{
    return !m_open.empty();
}

void
StreamCollectives::FailSoon(const std::string& reason)
{
    m_clock.Schedule(m_clock.Now(), [this, reason] { FailAll(reason); });
}

void
StreamCollectives::FailAll(const std::string& failure)
{
    const auto open = std::exchange(m_open, {});
    for (const auto& [key, callback] : open)
    {
        callback(m_clock.Now(), failure);
    }
}

Clock&
StreamCollectives::GetClock() const
{
    return m_clock;
}

OptimizerSites&
StreamCollectives::Sites() const
{
    return m_sites;
}

NetworkCounters
StreamCollectives::Counters() const
{
    NetworkCounters counters;
    counters.intraDcPayload = m_carried;
    m_sites.AddPackets(counters);
    return counters;
}

} // namespace geotrain
