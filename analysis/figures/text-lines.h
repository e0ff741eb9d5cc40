// SPDX-License-Identifier: GPL-2.0-only
// Breaks texts of a figure into lines, and shortens names. gnuplot does neither, and tells no widths
// before it draws: they are estimated by the number of letters.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace geotrain
{

/// Returns the width in points of `text` in a font of `points`, for letters of mean width.
double TextWidth(std::string_view text, double points);

/// Returns the width of the widest of `texts`; 0 of none.
double WidestOf(const std::vector<std::string>& texts, double points);

/// Returns `word` with so much of its middle left out that it fits into `width` points, but for its
/// ends.
std::string Shortened(const std::string& word, double points, double width);

/// Breaks `text` at spaces, and behind commas, hyphens, slashes and underscores, into lines that
/// are at most `width` points wide. A word that is wider is shortened. Empty text has no lines.
std::vector<std::string> WrappedText(const std::string& text, double points, double width);

} // namespace geotrain
