// SPDX-License-Identifier: GPL-2.0-only
// The texts of scenarios/library, which the build puts into the program, so that it needs no
// source tree.
#pragma once

#include <string_view>
#include <vector>

namespace geotrain
{

/// A scenario of the library.
struct LibraryText
{
    std::string_view name;
    std::string_view text;
};

/// Returns the library's scenarios by name.
const std::vector<LibraryText>& LibraryTexts();

} // namespace geotrain
