// SPDX-License-Identifier: GPL-2.0-only
#include "analytic/tail-drop.h"

#include <algorithm>
#include <cmath>

namespace geotrain
{

namespace
{

// Some trains' worth, so that a short train that comes beside long ones doesn't lose all, and little of
// the queue, whose room it adds to.
constexpr double packetsThatMix = 64;
constexpr double shareThatMixes = 1.0 / 32; // of the queue, at most
constexpr double endsAbove = 0.5;           // share of a train whose last packet counts as dropped

} // namespace

TailDrop::TailDrop(double limit, std::int64_t segment, double phase)
    : m_ramp(std::min(packetsThatMix * static_cast<double>(segment), shareThatMixes * limit)),
      m_segment(segment),
      m_carried((phase - 0.5) * static_cast<double>(segment))
{
}

TailDrop::Drop
TailDrop::Of(double over, std::int64_t bytes)
{
    if (!(over > 0) || bytes == 0)
    {
        return {};
    }
    const auto length = static_cast<double>(bytes);
    const double share = std::min(1.0, over / std::max(m_ramp, length));
    const auto packet = static_cast<double>(m_segment);
    m_carried += share * length;
    const double packets = std::max(0.0, std::floor(m_carried / packet + 0.5));
    m_carried -= packets * packet;
    const auto dropped = std::min(bytes, static_cast<std::int64_t>(packets * packet));
    return {dropped, share > endsAbove || dropped == bytes};
}

} // namespace geotrain
