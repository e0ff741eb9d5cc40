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
constexpr double largestGrowth = 1.5; // of the window per round trip (RFC 9438, section 4.2)

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
    m_maxWindow = segments < m_maxWindow ? segments * (1 + kept) / 2 : segments;
    m_priorWindow = segments;
    Forget();
    return kept * segments;
}

double
CubicGrowth::Grown(Instant now, double segments, double acknowledged, double roundTrip)
{
    if (!m_start)
    {
        Begin(now, segments);
    }
    const double share = acknowledged / segments; // of a round trip
    m_friendly += m_friendly < m_priorWindow ? 3 * (1 - kept) / (1 + kept) * share : share;
    if (CubicWindow(now, 0) < m_friendly)
    {
        return std::max(segments, m_friendly);
    }
    const double target =
        std::clamp(CubicWindow(now, roundTrip), segments, largestGrowth * segments);
    return segments + share * (target - segments);
}

void
CubicGrowth::Forget()
{
    m_start.reset();
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
