// SPDX-License-Identifier: GPL-2.0-only
// Instants of a simulated time line as tests write them.
#pragma once

#include "units/duration.h"

namespace geotrain
{

constexpr std::int64_t nsPerMs = 1000000;

constexpr Instant
AtNs(std::int64_t nanoseconds)
{
    return Instant::FromNanoseconds(nanoseconds);
}

template <typename Number>
Instant
AtMs(Number milliseconds)
{
    return Instant() + Duration::Seconds(static_cast<double>(milliseconds) * 1e-3);
}

} // namespace geotrain
