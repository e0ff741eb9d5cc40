// SPDX-License-Identifier: GPL-2.0-only
// Evaluates the cubic function of the time since the epoch began, in segments.
#include "analytic/cubic-growth.h"

#include <algorithm>
#include <cmath>

namespace geotrain
{

namespace
{

// Attributes and constants of ns-3 3.37's TcpCubic.
constexpr double cubicFactor = 0.4; // C
constexpr double largestCount = 20; // CntClamp, segments
constexpr double smallestCount = 2; // segments

} // namespace

void
CubicGrowth::Begin(Instant now, double segments)
{
    m_start = now;
    m_origin = segments;
}

void
CubicGrowth::Forget()
{
    m_start.reset();
}

double
CubicGrowth::SegmentsForOneMore(Instant now, double segments, double leastRoundTrip)
{
    if (!m_start)
    {
        Begin(now, segments);
    }
    const auto passed = static_cast<double>((now - *m_start).ToNanoseconds());
    const double time = (passed + leastRoundTrip) * 1e-9;
    const double target = m_origin + std::floor(cubicFactor * time * time * time);
    const double count =
        target > segments ? std::floor(segments / (target - segments)) : largestCount;
    return std::clamp(count, smallestCount, largestCount);
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
