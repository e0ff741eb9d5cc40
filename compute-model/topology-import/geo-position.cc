// SPDX-License-Identifier: GPL-2.0-only
#include "topology-import/geo-position.h"

#include <algorithm>
#include <cmath>

namespace geotrain
{

namespace
{

constexpr double earthRadiusKm = 6371.0088; // mean radius, IUGG
constexpr double fibreKmPerSecond = 200000; // light in fibre, refractive index 1.5

double
Radians(double degrees)
{
    return degrees * 3.14159265358979323846 / 180;
}

} // namespace

Duration
GreatCircleDelay(const GeoPosition& a, const GeoPosition& b)
{
    const double sinLatitude = std::sin(Radians(b.latitude - a.latitude) / 2);
    const double sinLongitude = std::sin(Radians(b.longitude - a.longitude) / 2);
    const double haversine = sinLatitude * sinLatitude + std::cos(Radians(a.latitude)) *
                                                             std::cos(Radians(b.latitude)) *
                                                             sinLongitude * sinLongitude;
    const double km = 2 * earthRadiusKm * std::asin(std::sqrt(std::min(1.0, haversine)));
    return Duration::Seconds(km / fibreKmPerSecond);
}

} // namespace geotrain
