// SPDX-License-Identifier: GPL-2.0-only
// Letters that the figures' font has. Pango draws a letter that no font of the machine has as a box
// with its number, which gnuplot's scale makes as large as the figure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace geotrain
{

/// Returns the letters of `text`, which is UTF-8. One that DejaVu Sans lacks is written as its
/// number, such as "U+6771", and each byte that is no UTF-8 as "?".
std::vector<std::string> DrawableLetters(std::string_view text);

/// Returns these letters as one text.
std::string DrawableText(std::string_view text);

} // namespace geotrain
