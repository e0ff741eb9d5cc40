// SPDX-License-Identifier: GPL-2.0-only
#include "metrics/capacity-curve.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace geotrain
{

CapacityCurve::CapacityCurve(double bps, const Steps& steps, std::int64_t periodNs)
    : m_period(static_cast<double>(periodNs) / 1e9)
{
    for (const auto& step : steps)
    {
        m_steps.push_back({static_cast<double>(step.from_ns()) / 1e9, step.bps()});
    }
    if (m_steps.empty() || m_steps.front().fromSeconds > 0)
    {
        m_steps.insert(m_steps.begin(), {0, bps});
    }
}

double
CapacityCurve::At(double seconds) const
{
    if (m_steps.empty())
    {
        return 0;
    }
    const double time = m_period > 0 ? std::fmod(seconds, m_period) : seconds;
    const auto next =
        std::upper_bound(m_steps.begin() + 1,
                         m_steps.end(),
                         time,
                         [](double at, const Step& step) { return at < step.fromSeconds; });
    return std::prev(next)->bps;
}

double
CapacityCurve::Highest() const
{
    double highest = 0;
    for (const Step& step : m_steps)
    {
        highest = std::max(highest, step.bps);
    }
    return highest;
}

/// Returns the bits from time 0 on.
double
CapacityCurve::BitsUntil(double seconds) const
{
    double bits = 0;
    double left = seconds;
    if (m_period > 0 && seconds >= m_period)
    {
        const double rounds = std::floor(seconds / m_period);
        bits = rounds * BitsUntil(std::nextafter(m_period, 0));
        left = seconds - rounds * m_period;
    }
    for (std::size_t i = 0; i < m_steps.size(); ++i)
    {
        const double end =
            i + 1 < m_steps.size() ? std::min(left, m_steps[i + 1].fromSeconds) : left;
        bits += m_steps[i].bps * std::max(0.0, end - m_steps[i].fromSeconds);
    }
    return bits;
}

double
CapacityCurve::MeanIn(double fromSeconds, double toSeconds) const
{
    return m_steps.size() < 2 || toSeconds <= fromSeconds
               ? At(fromSeconds)
               : (BitsUntil(toSeconds) - BitsUntil(fromSeconds)) / (toSeconds - fromSeconds);
}

std::vector<double>
CapacityCurve::ChangesIn(double fromSeconds, double toSeconds) const
{
    std::vector<double> changes;
    const double first = m_period > 0 ? m_period * std::floor(fromSeconds / m_period) : 0;
    for (double begin = first; m_steps.size() > 1 && begin < toSeconds; begin += m_period)
    {
        for (const Step& step : m_steps)
        {
            const double at = begin + step.fromSeconds;
            if (at > fromSeconds && at < toSeconds)
            {
                changes.push_back(at);
            }
        }
        if (m_period == 0)
        {
            break;
        }
    }
    return changes;
}

CapacityCurve
CapacityOfWan(const trace::RunHeader& header)
{
    return CapacityCurve(
        header.wan_capacity_bps(), header.wan_capacity_steps(), header.capacity_period_ns());
}

CapacityCurve
CapacityOfFlow(const trace::TransferFlow& flow, const trace::RunHeader& header)
{
    return CapacityCurve(flow.capacity_bps(), flow.capacity_steps(), header.capacity_period_ns());
}

std::map<std::string, CapacityCurve>
CapacitiesOfLinks(const trace::RunHeader& header)
{
    std::map<std::string, CapacityCurve> capacities;
    for (const auto& capacity : header.wan_capacities())
    {
        if (capacity.bps() > 0)
        {
            capacities.emplace(
                capacity.name(),
                CapacityCurve(capacity.bps(), capacity.steps(), header.capacity_period_ns()));
        }
    }
    return capacities;
}

} // namespace geotrain
