// SPDX-License-Identifier: GPL-2.0-only
#include "runner/cross-traffic.h"

#include "runner/testbed.h"

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

CrossTraffic::CrossTraffic(const Experiment& experiment)
{
    const std::uint64_t seed = experiment.run.seed;
    for (const auto& pair : experiment.crossTraffic)
    {
        m_pairs.push_back({pair,
                           RandomStream(seed, "cross-traffic-intervals", pair.name),
                           RandomStream(seed, "cross-traffic-sizes", pair.name),
                           Instant()});
    }
}

void
CrossTraffic::Begin(Testbed& testbed)
{
    for (auto& pair : m_pairs)
    {
        ScheduleNext(pair, testbed);
    }
}

bool
CrossTraffic::IsDone() const
{
    return true;
}

void
CrossTraffic::ScheduleNext(Pair& pair, Testbed& testbed)
{
    const double exponential = -std::log(pair.intervals.Uniform());
    pair.last = NextArrival(pair.description, pair.last, exponential);
    if (pair.last < Instant::Never())
    {
        testbed.GetClock().Schedule(pair.last, [&pair, &testbed] { Arrive(pair, testbed); });
    }
}

void
CrossTraffic::Arrive(Pair& pair, Testbed& testbed)
{
    const auto& description = pair.description;
    const std::uint64_t size = ParetoSize(description, pair.sizes.Uniform());
    const auto stream =
        StreamNumber("cross-traffic-control", description.name + "/" + std::to_string(pair.files));
    testbed.Packets().GetBearer().SendFile({description.from,
                                            description.to,
                                            size,
                                            description.congestionControl,
                                            description.window,
                                            stream,
                                            testbed.Of().testbed.transport.tcp.preset});
    ++pair.files;
    ScheduleNext(pair, testbed);
}

} // namespace geotrain
