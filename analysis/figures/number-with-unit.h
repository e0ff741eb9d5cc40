// SPDX-License-Identifier: GPL-2.0-only
// Reads the numbers that scenarios write, in one unit per quantity, so that an axis can show them, and
// writes numbers for axes.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

/// A NumberWithUnit is a number and its unit as an axis names it.
struct NumberWithUnit
{
    double value = 0;
    std::string unit; ///< ms, Gbit/s, MB or as it was written; empty: none
};

/// Reads a text such as "20", "1e-4", "20ms", "5Gbps" or "4MB". Times become ms, rates Gbit/s and
/// sizes MB; other units, such as bdp, stay. Returns nullopt for any other text.
std::optional<NumberWithUnit> ParseNumberWithUnit(const std::string& text);

/// Returns the texts of an axis's numbers, of one kind: "0.001", "0.01" or, where one of them is less
/// than 0.001, "1e-4", "1e-3". 0 is "0".
std::vector<std::string> TextsOfNumbers(const std::vector<double>& numbers);

} // namespace geotrain
