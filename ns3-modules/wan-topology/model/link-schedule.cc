// SPDX-License-Identifier: GPL-2.0-only
#include "wan-topology/model/link-schedule.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

namespace ns3
{

using geotrain::Instant;
using geotrain::Outage;

namespace
{

constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

} // namespace

LinkSchedule::LinkSchedule(geotrain::BitRate rate,
                           const geotrain::RateSchedule& rates,
                           const std::vector<Outage>& outages,
                           std::shared_ptr<const Instant> begin)
    : m_rate(rate),
      m_rates(rates),
      m_outages(outages),
      m_begin(begin ? std::move(begin) : std::make_shared<const Instant>())
{
    std::copy_if(outages.begin(),
                 outages.end(),
                 std::back_inserter(m_holds),
                 [](const Outage& outage) { return outage.holds; });
}

Instant
LinkSchedule::Begin() const
{
    return *m_begin;
}

LinkSchedule::Span
LinkSchedule::RateSpanAt(std::int64_t afterNs) const
{
    const std::int64_t periodNs = m_rates.period.ToNanoseconds();
    const std::int64_t roundNs = periodNs > 0 && afterNs > 0 ? afterNs - afterNs % periodNs : 0;
    const auto next = std::upper_bound(m_rates.steps.begin(),
                                       m_rates.steps.end(),
                                       afterNs - roundNs,
                                       [](std::int64_t atNs, const geotrain::RateStep& step)
                                       { return atNs < step.at.ToNanoseconds(); });
    const std::int64_t lastNs = periodNs > 0 ? roundNs + periodNs : never;
    return {next == m_rates.steps.end() ? lastNs : roundNs + next->at.ToNanoseconds(),
            (next == m_rates.steps.begin() ? m_rate : std::prev(next)->rate).ToBitsPerSecond()};
}

LinkSchedule::Span
LinkSchedule::SpanAt(std::int64_t atNs) const
{
    if (Begin() == Instant::Never())
    {
        return {never, m_rate.ToBitsPerSecond()};
    }
    const std::int64_t beginNs = Begin().ToNanoseconds();
    const std::int64_t afterNs = atNs - beginNs;
    Span span = RateSpanAt(afterNs);
    const auto hold = std::upper_bound(m_holds.begin(),
                                       m_holds.end(),
                                       afterNs,
                                       [](std::int64_t time, const Outage& outage)
                                       { return time < outage.end.ToNanoseconds(); });
    if (hold != m_holds.end() && hold->begin.ToNanoseconds() <= afterNs)
    {
        span = {hold->end.ToNanoseconds(), 0};
    }
    else if (hold != m_holds.end())
    {
        span.endNs = std::min(span.endNs, hold->begin.ToNanoseconds());
    }
    span.endNs += span.endNs == never ? 0 : beginNs;
    return span;
}

double
LinkSchedule::BitsIn(Instant from, Instant to) const
{
    double bits = 0;
    std::int64_t atNs = from.ToNanoseconds();
    while (atNs < to.ToNanoseconds())
    {
        const Span span = SpanAt(atNs);
        const std::int64_t endNs = std::min(span.endNs, to.ToNanoseconds());
        bits += static_cast<double>(endNs - atNs) * 1e-9 * static_cast<double>(span.bitsPerSecond);
        atNs = endNs;
    }
    return bits;
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
                       [&](const Outage& outage) {
                           return !outage.holds && start < begin + outage.end &&
                                  end > begin + outage.begin;
                       });
}

} // namespace ns3
