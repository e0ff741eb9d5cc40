// SPDX-License-Identifier: GPL-2.0-only
#include "runner/cross-traffic.h"

#include <algorithm>
#include <cmath>

namespace geotrain
{

Instant
NextArrival(const CrossTrafficPair& pair, Instant last, double exponential)
{
    constexpr double farthestSeconds = 4e9;
    const double meanBits = 8 * static_cast<double>(pair.meanSize.Count());
    double at = last.ToSeconds();
    double missing = exponential;
    for (std::size_t i = 0; i < pair.steps.size(); ++i)
    {
        const bool isLast = i + 1 == pair.steps.size();
        const double end = isLast ? INFINITY : pair.steps[i + 1].at.ToSeconds();
        const double filesPerSecond = pair.steps[i].bitsPerSecond / meanBits;
        if (at >= end)
        {
            continue;
        }
        if (filesPerSecond > 0 && at + missing / filesPerSecond < end)
        {
            const double seconds = at + missing / filesPerSecond;
            return seconds < farthestSeconds ? Instant() + Duration::Seconds(seconds)
                                             : Instant::Never();
        }
        missing -= filesPerSecond > 0 ? filesPerSecond * (end - at) : 0;
        at = end;
    }
    return Instant::Never();
}

std::uint64_t
ParetoSize(const CrossTrafficPair& pair, double uniform)
{
    constexpr double most = 1e12;
    // The mean of a Pareto distribution is its least value times shape / (shape - 1).
    const double least = static_cast<double>(pair.meanSize.Count()) * (pair.shape - 1) / pair.shape;
    const double size = least * std::pow(uniform, -1 / pair.shape);
    return static_cast<std::uint64_t>(std::clamp(size, 1.0, most));
}

CrossTraffic::CrossTraffic(const std::vector<CrossTrafficPair>& pairs,
                           std::uint64_t seed,
                           ns3::Bearer& bearer,
                           Clock& clock)
    : m_bearer(bearer),
      m_clock(clock)
{
    for (const auto& pair : pairs)
    {
        m_pairs.push_back({pair,
                           RandomStream(seed, "cross-traffic-intervals", pair.name),
                           RandomStream(seed, "cross-traffic-sizes", pair.name),
                           clock.Now()});
    }
}

void
CrossTraffic::Begin()
{
    for (auto& pair : m_pairs)
    {
        ScheduleNext(pair);
    }
}

std::uint64_t
CrossTraffic::Files() const
{
    return m_files;
}

void
CrossTraffic::ScheduleNext(Pair& pair)
{
    const double exponential = -std::log(pair.intervals.Uniform());
    pair.last = NextArrival(pair.description, pair.last, exponential);
    if (pair.last < Instant::Never())
    {
        m_clock.Schedule(pair.last, [this, &pair] { Arrive(pair); });
    }
}

void
CrossTraffic::Arrive(Pair& pair)
{
    const auto& description = pair.description;
    const std::uint64_t size = ParetoSize(description, pair.sizes.Uniform());
    const auto stream =
        StreamNumber("cross-traffic-control", description.name + "/" + std::to_string(pair.files));
    m_bearer.SendFile({description.from,
                       description.to,
                       size,
                       description.congestionControl,
                       description.window,
                       stream});
    ++pair.files;
    ++m_files;
    ScheduleNext(pair);
}

} // namespace geotrain
