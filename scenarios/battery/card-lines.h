// SPDX-License-Identifier: GPL-2.0-only
// Judges a congestion control by the criteria that a heading's scenario declares.
#pragma once

#include "comparison/comparison-table.h"
#include "loader/declared-results.h"
#include "report/report-card.h"

#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

/// Returns the verdict on a number, which is in the criterion's unit: it passes where mean and
/// interval lie within the bounds, ends included. Without a number it was not run.
Verdict VerdictOn(const Criterion& criterion, const std::optional<MeanInterval>& number);

/// Returns the rows of the variants that a criterion judges: those that run `control` in its field
/// and have its values.
std::vector<const ComparisonRow*> RowsFor(const ComparisonTable& table,
                                          const Criterion& criterion,
                                          const std::string& control);

/// Returns the card's lines of one heading.
std::vector<CardLine> CardLinesOf(const ComparisonTable& table,
                                  const std::vector<Criterion>& criteria,
                                  const std::string& control);

} // namespace geotrain
