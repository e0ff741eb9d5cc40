// SPDX-License-Identifier: GPL-2.0-only
// Says whether the values that a scenario expects of itself hold for the runs that were made of it.
#pragma once

#include "comparison/comparison-table.h"
#include "loader/listed-variants.h"
#include "metrics/summary.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

/// An ExpectedValue is an `expected` of a scenario, and what a run gave.
struct ExpectedValue : ListedExpectation
{
    std::optional<double> given = std::nullopt; ///< nothing where no run has the metric

    /// Returns whether what was given is within the tolerance.
    bool Holds() const;
};

/// Returns the expectations of the comparison's variants, each with the mean that the comparison
/// gave.
std::vector<ExpectedValue> GivenBy(const ComparisonTable& table,
                                   const std::vector<ListedExpectation>& expectations);

/// Returns the expectations of the scenario without variants, each with what its run gave.
std::vector<ExpectedValue> GivenBy(const Summary& run,
                                   const std::vector<ListedExpectation>& expectations);

/// Returns "expected values: 6 of 7 hold", and a line for each that does not; nothing where none is
/// expected.
std::string ExpectationText(const std::vector<ExpectedValue>& given);

/// Returns the expectations as JSON.
nlohmann::ordered_json ExpectationJson(const std::vector<ExpectedValue>& given);

} // namespace geotrain
