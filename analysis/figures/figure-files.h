// SPDX-License-Identifier: GPL-2.0-only
// Collects the files to which figures were written.
#pragma once

#include <filesystem>
#include <vector>

namespace geotrain
{

/// Files are the paths of written figures.
using Files = std::vector<std::filesystem::path>;

/// Adds `more` behind `files`.
inline void
Append(Files& files, const Files& more)
{
    files.insert(files.end(), more.begin(), more.end());
}

} // namespace geotrain
