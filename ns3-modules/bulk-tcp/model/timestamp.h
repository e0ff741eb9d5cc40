// SPDX-License-Identifier: GPL-2.0-only
// The clock of TCP's timestamps (RFC 7323, section 5.4).
#pragma once

#include <cstdint>

namespace ns3
{

/// Returns the timestamp at `nowNs` of simulated time: whole milliseconds, which wrap after 49
/// days.
inline std::uint32_t
TimestampMs(std::int64_t nowNs)
{
    constexpr std::int64_t nsPerMs = 1000000;
    return static_cast<std::uint32_t>(nowNs / nsPerMs);
}

} // namespace ns3
