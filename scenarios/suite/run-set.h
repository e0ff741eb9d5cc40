// SPDX-License-Identifier: GPL-2.0-only
// Describes the runs that figures of a suite need: a scenario of the library with other values in
// some fields, a run per series, point and seed. One set of runs may serve several figures.
#pragma once

#include "comparison/variants.h"
#include "loader/scenario-text.h"

#include <cstdint>
#include <string>
#include <vector>

namespace geotrain
{

/// A SuiteSeries is the runs of one curve, bar or panel.
struct SuiteSeries
{
    std::string name;  ///< part of the runs' folders
    std::string title; ///< as figures show it
    std::vector<std::string> sets = {}; ///< "PATH=VALUE", made after those of the points
};

/// A SuitePoint is a place on the x axis.
struct SuitePoint
{
    double x = 0;
    std::string name; ///< part of the runs' folders
    std::vector<std::string> sets = {};
};

/// A RunSet is the runs of one question: every series at every point with every seed.
struct RunSet
{
    std::string name;
    std::string scenario; ///< of the library
    std::vector<std::string> sets;
    std::vector<SuiteSeries> series;
    std::vector<SuitePoint> points;
    std::vector<std::int64_t> seeds = {1};
    double cpuSeconds = 1; ///< processor time of a run, about; for the progress
};

/// Returns the name of the variant that is `series` at `point`.
std::string VariantName(const RunSet& set, std::size_t series, std::size_t point);

/// Returns the variants of `set`, the points of the first series first.
VariantPlans PlansOf(const RunSet& set);

/// Returns the number of runs.
std::size_t RunsOf(const RunSet& set);

/// Returns a point for each of `values`, which sets each of `paths` to the value. Its x is the number at
/// the start of the value: 20 for "20ms".
std::vector<SuitePoint> PointsAt(const std::vector<std::string>& values,
                                 const std::vector<std::string>& paths);

} // namespace geotrain
