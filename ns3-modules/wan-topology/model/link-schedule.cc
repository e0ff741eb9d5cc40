// SPDX-License-Identifier: GPL-2.0-only
#include "wan-topology/model/link-schedule.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <set>
#include <utility>

namespace ns3
{

using geotrain::Instant;

namespace
{

constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t ever = std::numeric_limits<std::int64_t>::min();

std::int64_t
RateAt(std::int64_t atNs,
       geotrain::BitRate first,
       const std::vector<geotrain::RateStep>& steps,
       const std::vector<geotrain::Outage>& outages)
{
    std::int64_t rate = first.ToBitsPerSecond();
    for (const geotrain::RateStep& step : steps)
    {
        rate = step.at.ToNanoseconds() <= atNs ? step.rate.ToBitsPerSecond() : rate;
    }
    for (const geotrain::Outage& outage : outages)
    {
        if (outage.holds && outage.begin.ToNanoseconds() <= atNs &&
            atNs < outage.end.ToNanoseconds())
        {
            return 0;
        }
    }
    return rate;
}

} // namespace

LinkSchedule::LinkSchedule(geotrain::BitRate rate,
                           const std::vector<geotrain::RateStep>& steps,
                           const std::vector<geotrain::Outage>& outages,
                           std::shared_ptr<const Instant> begin)
    : m_outages(outages),
      m_begin(begin ? std::move(begin) : std::make_shared<const Instant>())
{
    std::set<std::int64_t> changes;
    for (const geotrain::RateStep& step : steps)
    {
        changes.insert(step.at.ToNanoseconds());
    }
    for (const geotrain::Outage& outage : outages)
    {
        changes.insert(outage.begin.ToNanoseconds());
        changes.insert(outage.end.ToNanoseconds());
    }
    m_pieces.push_back({ever, rate.ToBitsPerSecond()});
    for (const std::int64_t change : changes)
    {
        m_pieces.push_back({change, RateAt(change, rate, steps, outages)});
    }
}

Instant
LinkSchedule::Begin() const
{
    return *m_begin;
}

LinkSchedule::Span
LinkSchedule::SpanAt(std::int64_t atNs) const
{
    if (Begin() == Instant::Never())
    {
        return {never, m_pieces.front().bitsPerSecond};
    }
    const std::int64_t beginNs = Begin().ToNanoseconds();
    const auto next = std::upper_bound(m_pieces.begin() + 1,
                                       m_pieces.end(),
                                       atNs,
                                       [beginNs](std::int64_t at, const Piece& piece)
                                       { return at < beginNs + piece.beginNs; });
    return {next == m_pieces.end() ? never : beginNs + next->beginNs,
            std::prev(next)->bitsPerSecond};
}

bool
LinkSchedule::IsLost(Instant start, Instant end) const
{
    const Instant begin = Begin();
    if (begin == Instant::Never())
    {
        return false;
    }
    return std::any_of(m_outages.begin(),
                       m_outages.end(),
                       [&](const geotrain::Outage& outage) {
                           return !outage.holds && start < begin + outage.end &&
                                  end > begin + outage.begin;
                       });
}

} // namespace ns3
