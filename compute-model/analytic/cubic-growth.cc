// SPDX-License-Identifier: GPL-2.0-only
// Evaluates the cubic function of the time since the epoch began, in segments.
#include "analytic/cubic-growth.h"

#include <algorithm>
#include <cmath>

namespace geotrain
{

namespace
{

constexpr double cubicFactor = 0.4;   // C
constexpr double kept = 0.7;          // of a window after a loss: beta (RFC 9438, section 4.6)
// Segments that are acknowledged for each by which the window grows, in Linux:
constexpr double fastest = 2;                // at least
constexpr double withoutPriorLoss = 20;      // at most, while no loss has told a window
constexpr double standingStill = 100;        // windows, at the target
constexpr double friendlyWindows = 15.0 / 8; // acknowledged per segment of the Reno-friendly window

} // namespace

void
CubicGrowth::Begin(Instant now, double segments)
{
    m_start = now;
    m_origin = std::max(segments, m_maxWindow);
    m_plateau = std::cbrt((m_origin - segments) / cubicFactor);
    m_friendly = segments;
}

/// Returns the cubic function of the time since the epoch began plus `lead` ns, in segments.
double
CubicGrowth::CubicWindow(Instant now, double lead) const
{
    const double time = (static_cast<double>((now - *m_start).ToNanoseconds()) + lead) * 1e-9;
    const double distance = time - m_plateau;
    return m_origin + cubicFactor * distance * distance * distance;
}

double
CubicGrowth::Reduced(double segments)
{
    m_maxWindow = std::floor(segments < m_maxWindow ? segments * (1 + kept) / 2 : segments);
    m_start.reset();
    return std::floor(kept * segments);
}

double
CubicGrowth::Grown(Instant now, double segments, double acknowledged, double roundTrip)
{
    if (!m_start)
    {
        Begin(now, segments);
    }
    const double window = std::floor(segments);
    m_friendly += acknowledged / std::max(1.0, std::floor(window * friendlyWindows));
    const double friendly = std::floor(m_friendly);
    // The distance from the flat part is cut to whole segments.
    const double target = m_origin + std::trunc(CubicWindow(now, roundTrip) - m_origin);
    double needed =
        target > window ? std::floor(window / (target - window)) : standingStill * window;
    if (m_maxWindow == 0)
    {
        needed = std::min(needed, withoutPriorLoss);
    }
    if (friendly > window)
    {
        needed = std::min(needed, std::floor(window / (friendly - window)));
    }
    return segments + acknowledged / std::max(needed, fastest);
}

void
CubicGrowth::MoveBack(Duration by)
{
    if (m_start)
    {
        m_start = *m_start - by;
    }
}

} // namespace geotrain
