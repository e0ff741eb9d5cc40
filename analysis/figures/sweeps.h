// SPDX-License-Identifier: GPL-2.0-only
// Finds what a comparison sweeps: a varied field whose values are numbers, such as connections,
// losses, delays or rates. Variants that differ in nothing else form a curve. Delays of WAN links
// count as round trips, twice the delay.
#pragma once

#include "figures/comparison.h"
#include "figures/curve-family-figure.h"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace geotrain
{

/// The field of a sweep over delays of WAN links, which are drawn as round trips.
constexpr const char* roundTripField = "round-trips";

/// A SweepSeries is variants that differ in the swept number alone.
struct SweepSeries
{
    std::string name;                       ///< empty where it is the only one
    std::map<double, std::size_t> variants; ///< by the number
};

/// A Sweep is one varied field, and the variants arranged by it.
struct Sweep
{
    std::string field; ///< names figures: "connections"; "round-trips" for delays of WAN links
    std::string label; ///< of the axis, with the unit
    std::vector<double> values; ///< of all series, rising; at least two
    std::vector<SweepSeries> series;
};

/// Returns a sweep for each varied field that has numbers for at least three of them in some
/// series, or for two where it is the delay of WAN links.
std::vector<Sweep> SweepsOf(const Comparison& comparison);

/// Returns the axis label of a field: "transport.connections" becomes "Connections per node pair".
std::string FieldLabel(const std::string& path, const std::string& unit = "");

/// A SweptMetric is a metric drawn over a sweep.
struct SweptMetric
{
    std::string metric;
    std::string label; ///< with the unit
    double factor = 1; ///< from the metric to the label's unit
};

/// Returns the curves of `swept` over `sweep`, with 95 % intervals where there are seeds. An axis is
/// logarithmic where its numbers span a decade.
CurveFamily CurvesOf(const Comparison& comparison, const Sweep& sweep, const SweptMetric& swept);

} // namespace geotrain
