// SPDX-License-Identifier: GPL-2.0-only
// Puts SVG pictures that gnuplot drew into a page: without XML prolog, with a name for screen
// readers, and with ids that no other picture of the page has.
#pragma once

#include <string>
#include <string_view>

namespace geotrain
{

/// Returns the picture `svg` for a page. Each id, and each reference to one, gets `prefix`. Returns
/// an empty text for what is no SVG, or could run a script.
std::string InlineSvg(std::string_view svg, const std::string& prefix, std::string_view label);

} // namespace geotrain
