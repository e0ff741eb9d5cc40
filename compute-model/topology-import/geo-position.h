// SPDX-License-Identifier: GPL-2.0-only
// Positions on the Earth, and how long light takes between them.
#pragma once

#include "units/duration.h"

namespace geotrain
{

/// A GeoPosition is a point on the Earth.
struct GeoPosition
{
    double latitude = 0;  ///< degrees, -90 to 90
    double longitude = 0; ///< degrees, -180 to 180
};

/// Returns the delay of light in fibre along the great circle (haversine, mean Earth radius),
/// rounded to a nanosecond.
Duration GreatCircleDelay(const GeoPosition& a, const GeoPosition& b);

} // namespace geotrain
