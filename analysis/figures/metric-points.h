// SPDX-License-Identifier: GPL-2.0-only
// A metric of variants against another quantity of theirs, as the points of a curve.
#pragma once

#include "figures/comparison-figure.h"
#include "figures/curve-points.h"

#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace geotrain
{

/// Of a variant; nullopt: it has none.
using VariantQuantity = std::function<std::optional<double>(const Summary&)>;

/// A metric by its name, times `factor`.
VariantQuantity MetricOf(const char* name, double factor);

struct MetricPoints
{
    CurvePoints points; ///< by x, then y
    std::vector<double>
        halfWidths; ///< of the 95 % intervals of the points' y over seeds; empty: of one run each

    /// Whether they have more than one x.
    bool Vary() const;
};

/// A point for each variant that has both, y in units of 1 / `factor`.
MetricPoints PointsOf(const std::vector<VariantSummary>& variants,
                      const VariantQuantity& x,
                      const char* metric,
                      double factor);

} // namespace geotrain
