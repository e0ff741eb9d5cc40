// SPDX-License-Identifier: GPL-2.0-only
// The texts of scenarios/library and the model files of scenarios/library/paths, which the build
// puts into the program, so that it needs no source tree.
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

/// A learned path of the library.
struct LibraryPath
{
    std::string_view name;
    std::string_view bytes; ///< of its model file
};

/// Returns the library's learned paths by name.
const std::vector<LibraryPath>& LibraryPaths();

} // namespace geotrain
