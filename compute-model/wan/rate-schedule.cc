// SPDX-License-Identifier: GPL-2.0-only
#include "wan/link-impairments.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace geotrain
{

BitRate
RateSchedule::RateAt(Duration at, BitRate first) const
{
    if (period > Duration())
    {
        at = Duration::Nanoseconds(at.ToNanoseconds() % period.ToNanoseconds());
    }
    const auto next =
        std::upper_bound(steps.begin(),
                         steps.end(),
                         at,
                         [](Duration time, const RateStep& step) { return time < step.at; });
    return next == steps.begin() ? first : std::prev(next)->rate;
}

void
RateSchedule::AddChanges(Duration until, std::set<std::int64_t>& changes) const
{
    Duration begin;
    do
    {
        for (const RateStep& step : steps)
        {
            if (begin + step.at <= until)
            {
                changes.insert((begin + step.at).ToNanoseconds());
            }
        }
        begin += period;
    } while (period > Duration() && begin <= until);
}

BitRate
RateSchedule::MeanRate() const
{
    if (period == Duration())
    {
        return steps.empty() ? BitRate() : steps.back().rate;
    }
    double bits = 0;
    for (std::size_t i = 0; i < steps.size(); ++i)
    {
        const Duration end = i + 1 < steps.size() ? steps[i + 1].at : period;
        bits +=
            static_cast<double>(steps[i].rate.ToBitsPerSecond()) * (end - steps[i].at).ToSeconds();
    }
    return BitRate::BitsPerSecond(std::llround(bits / period.ToSeconds()));
}

} // namespace geotrain
