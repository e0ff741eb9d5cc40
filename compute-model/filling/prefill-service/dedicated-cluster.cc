// SPDX-License-Identifier: GPL-2.0-only
#include "prefill-service/dedicated-cluster.h"

#include <algorithm>
#include <queue>
#include <utility>

namespace geotrain
{

namespace
{

Duration
NearestRank(const std::vector<Duration>& sorted, std::size_t percent)
{
    return sorted.empty() ? Duration() : sorted[(sorted.size() * percent + 99) / 100 - 1];
}

} // namespace

DedicatedCluster::DedicatedCluster(const std::vector<PrefillRequest>& requests,
                                   const ServingTimes& times,
                                   const ServingChain& like,
                                   Deadline deadline)
    : m_requests(requests),
      m_times(times),
      m_like(like),
      m_deadline(std::move(deadline))
{
}

DedicatedResult
DedicatedCluster::Serve(std::uint32_t groups) const
{
    const std::size_t stages = m_times.StageCount();
    std::vector<std::vector<Instant>> freeAt(groups, std::vector<Instant>(stages));
    using Entry = std::pair<std::int64_t, std::uint32_t>; // first stage free, group
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> next;
    for (std::uint32_t group = 0; group < groups; ++group)
    {
        next.push({0, group});
    }
    std::vector<Duration> ttft;
    for (const PrefillRequest& request : m_requests)
    {
        const std::uint32_t group = next.top().second;
        auto planned = freeAt[group];
        const PromptBatch batch{request.promptTokens, 1};
        Instant at = request.arrival;
        for (std::size_t stage = 0; stage < stages; ++stage)
        {
            at = std::max(at, planned[stage]) + m_times.StageTime(m_like.gpu, batch, stage);
            planned[stage] = at;
            at = stage + 1 < stages ? at + m_times.Hop(m_like, stage, request.promptTokens) : at;
        }
        if (at > m_deadline(request))
        {
            continue;
        }
        next.pop();
        next.push({planned[0].ToNanoseconds(), group});
        freeAt[group] = std::move(planned);
        ttft.push_back(at - request.arrival);
    }
    std::sort(ttft.begin(), ttft.end());
    return {
        groups, ttft.size(), NearestRank(ttft, 50), NearestRank(ttft, 90), NearestRank(ttft, 99)};
}

std::optional<DedicatedResult>
DedicatedCluster::Fewest(std::uint32_t most, std::uint64_t served, Duration ttftP90) const
{
    const auto isEnough = [&](const DedicatedResult& result)
    { return result.served >= served && result.ttftP90 <= ttftP90; };
    DedicatedResult best = Serve(most);
    if (!isEnough(best))
    {
        return std::nullopt;
    }
    std::uint32_t tooFew = 0;
    while (best.groups - tooFew > 1)
    {
        const DedicatedResult middle = Serve((best.groups + tooFew) / 2);
        if (isEnough(middle))
        {
            best = middle;
        }
        else
        {
            tooFew = middle.groups;
        }
    }
    return best;
}

} // namespace geotrain
