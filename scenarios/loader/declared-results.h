// SPDX-License-Identifier: GPL-2.0-only
// Reads what a scenario declares about the results of its comparison: the figures that show them,
// and the criteria by which a report card judges a congestion control.
#pragma once

#include "figures/declared-figures.h"
#include "loader/scenario-text.h"

#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

/// A Criterion is one line of a report card: a metric of one variant, and the bounds within which it
/// A KernelNumber is what a control of the Linux kernel reaches, in the criterion's unit.
struct KernelNumber
{
    std::string control; ///< short name
    double value = 0;
    std::optional<double> halfWidth; ///< of the 95 % interval; none: one measurement
};

/// passes.
struct Criterion
{
    std::string what;   ///< is told
    std::string metric; ///< of summary.csv
    std::string unit;   ///< in which the card shows it; may be empty
    double factor = 1;  ///< from the metric to the unit
    std::string by;     ///< field that holds the congestion control
    std::vector<FieldValue> where;
    std::optional<double> atLeast; ///< in `unit`
    std::optional<double> atMost;
    std::string reference; ///< what the bounds come from
    std::string source;    ///< where the field asks for it
    std::vector<KernelNumber> kernel;
    std::string kernelVersion; ///< and when it was measured
    std::string
        exponentAcross;     ///< field over whose values the exponent is told; empty: the metric is
    std::string overMetric; ///< by which the metric is divided; empty: none
};

/// Returns the figures that the scenario declares. Throws ConfigError.
std::vector<DeclaredFigure> ReadFigures(const ScenarioText& text);

/// Returns the criteria that the scenario declares. Throws ConfigError.
std::vector<Criterion> ReadCriteria(const ScenarioText& text);

} // namespace geotrain
