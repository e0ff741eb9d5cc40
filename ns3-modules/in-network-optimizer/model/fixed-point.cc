// SPDX-License-Identifier: GPL-2.0-only
#include "in-network-optimizer/model/fixed-point.h"

#include <ns3/abort.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace ns3
{

FixedPoint::FixedPoint(std::uint32_t bits, std::uint32_t workers, double bound)
    : m_workers(workers),
      m_bound(bound),
      m_levels(std::floor((std::ldexp(1.0, static_cast<int>(bits) - 1) - 1) / workers))
{
    NS_ABORT_MSG_IF(bits < 8 || bits > 32 || workers == 0 || !(bound > 0) || m_levels < 1,
                    "no integer of " << bits << " bits holds the sum of " << workers << " workers");
}

std::int32_t
FixedPoint::FromBf16(std::uint16_t value) const
{
    const double real = ValueOfBf16(value);
    NS_ABORT_MSG_IF(std::isnan(real), "a gradient is not a number");
    return static_cast<std::int32_t>(
        std::llround(std::clamp(real, -m_bound, m_bound) * m_levels / m_bound));
}

double
FixedPoint::ToReal(std::int32_t sum) const
{
    return sum * m_bound / m_levels;
}

double
FixedPoint::SumErrorBound() const
{
    return m_workers * m_bound / (2 * m_levels);
}

double
FixedPoint::ValueOfBf16(std::uint16_t value)
{
    const std::uint32_t bits = static_cast<std::uint32_t>(value) << 16;
    float real = 0;
    std::memcpy(&real, &bits, sizeof(real));
    return real;
}

} // namespace ns3
