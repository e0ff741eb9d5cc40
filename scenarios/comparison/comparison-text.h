// SPDX-License-Identifier: GPL-2.0-only
// Prints the results of a comparison for people: tables with the most important metrics, as wide as
// a terminal, and what to look at before trusting them.
#pragma once

#include "comparison/comparison-table.h"

#include <cstddef>
#include <string>

namespace geotrain
{

/// Width of a terminal in characters.
constexpr std::size_t terminalWidth = 80;

/// Returns the comparison as tables of at most `width` characters, with a row per variant. Columns
/// that no variant has are left out, and those that don't fit beside the others go into further
/// tables. With several seeds a number is "mean ± half width" of the 95 % interval.
std::string ComparisonText(const ComparisonTable& table, std::size_t width = terminalWidth);

/// Returns what the comparison answers, in lines of at most `width` columns; see AnswersOf().
std::string AnswerText(const ComparisonTable& table, std::size_t width = terminalWidth);

/// Returns the warnings of the comparison's runs, each once with the variants that gave it unless
/// all did.
std::string WarningText(const ComparisonTable& table, std::size_t width = terminalWidth);

} // namespace geotrain
