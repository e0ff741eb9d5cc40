// SPDX-License-Identifier: GPL-2.0-only
// Makes the points of a curve: a metric of the variants against another quantity of the same
// variants.
#pragma once

#include "figures/comparison.h"
#include "figures/curve-family-figure.h"
#include "figures/spread-text.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace geotrain
{

/// Returns the place of `name` in `names`, at whose end it is added if it is new.
std::size_t PlaceIn(std::vector<std::string>& names, const std::string& name);

/// Returns the largest group of variants whose summaries have the same key, in their order; of
/// several groups the first.
std::vector<VariantSummary> LargestGroup(const std::vector<VariantSummary>& variants,
                                         const std::function<std::string(const Summary&)>& keyOf);

/// Returns the metric `name` with its interval; one of value 0 where the run does not have it.
Metric MetricIn(const Summary& summary, std::string_view name);

/// A VariantQuantity returns a number of a variant, or nullopt where the variant has none.
using VariantQuantity = std::function<std::optional<double>(const Summary&)>;

/// Returns the quantity that is metric `name` times `factor`.
VariantQuantity MetricOf(const char* name, double factor);

/// MetricPoints are the points of a curve with their confidence intervals.
struct MetricPoints
{
    CurvePoints points; ///< by x, then y
    /// Half widths of the 95 % intervals of y over seeds, one per point; empty where every point is
    /// a single run.
    std::vector<double> halfWidths;
    std::vector<PointSpread> spreads; ///< one per point

    /// Returns whether the points have at least `least` different x.
    bool Vary(std::size_t least = 2) const;
};

/// Fewest values of a measured x that make a curve. Two points of a setting are a sweep, but two of
/// a measurement may be of runs that have nothing else in common.
constexpr std::size_t leastMeasured = 3;

/// A VariantGroup is variants whose points are of one curve, and how its name begins.
using VariantGroup = std::pair<std::string, std::vector<VariantSummary>>;

/// MetricCurves is what each group of variants shows.
struct MetricCurves
{
    VariantQuantity x;
    std::vector<std::pair<const char*, const char*>> metrics; ///< name of the curve, and the metric
    double factor = 1;     ///< from the metrics to the unit of the y axis
    std::size_t least = 2; ///< different x of a curve
};

/// Adds to `family` a curve per group and metric, and to its title how they spread over seeds.
CurveFamily CurvesByGroup(const std::vector<VariantGroup>& groups,
                          CurveFamily family,
                          const MetricCurves& shown);

/// Returns a point for each variant that has both `x` and `metric`; its y is the metric times
/// `factor`.
MetricPoints PointsOf(const std::vector<VariantSummary>& variants,
                      const VariantQuantity& x,
                      const char* metric,
                      double factor);

} // namespace geotrain
