// SPDX-License-Identifier: GPL-2.0-only
// Estimates the width of text in a figure, and breaks it into lines between words. gnuplot tells no
// widths before it draws; the estimate is by classes of letters of DejaVu Sans, within some 5 %.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace geotrain
{

/// Returns the width in points of `text` in a font of `points`.
double TextWidth(std::string_view text, double points);

/// Breaks `text` at spaces, and behind commas, hyphens, slashes and underscores, into lines that
/// are at most `width` points wide. A word that is wider has a line of its own. Empty text has no
/// lines.
std::vector<std::string> WrappedText(const std::string& text, double points, double width);

} // namespace geotrain
