// SPDX-License-Identifier: GPL-2.0-only
#include "in-network-optimizer/helper/heartbeat-path.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace ns3
{

HeartbeatPath::HeartbeatPath(double interval, std::vector<double> hops)
    : m_interval(interval),
      m_hops(std::move(hops)),
      m_phases(m_hops.size() - 1)
{
}

void
HeartbeatPath::Watch(const HeartbeatPhase& heartbeats)
{
    m_streams.push_back(&heartbeats);
}

/// A switch falls silent at its third tick after the last heartbeat: it sends what it has at the
/// first one, and goes on for one more without news.
void
HeartbeatPath::Begin(double at, double inNic, double wait)
{
    double last = -std::numeric_limits<double>::infinity(); // arrival before `at`
    for (const HeartbeatPhase* const stream : m_streams)
    {
        last = std::max(last, stream->LastBefore(at));
    }
    at += inNic;
    for (std::size_t level = 0; level < m_phases.size(); ++level)
    {
        at += m_hops[level];
        last += m_hops[level];
        const double silent = NextTick(level, last) + 2 * m_interval;
        if (at <= silent)
        {
            return; // it still ticks, and so do those above it
        }
        last = silent - m_interval;
        m_phases[level] = at;
        at += m_interval + wait;
    }
}

double
HeartbeatPath::Heard(double at, double wait) const
{
    for (std::size_t level = 0; level < m_phases.size(); ++level)
    {
        at = NextTick(level, at + m_hops[level]) + wait;
    }
    return at + m_hops.back();
}

/// Returns the first tick after `at`. A heartbeat that comes at a tick is too late for it.
double
HeartbeatPath::NextTick(std::size_t level, double at) const
{
    constexpr double rounding = 5e-10; // seconds: clocks count nanoseconds
    const double phase = m_phases[level];
    return phase + (std::floor((at + rounding - phase) / m_interval) + 1) * m_interval;
}

} // namespace ns3
