// SPDX-License-Identifier: GPL-2.0-only
// The files that figures were written to.
#pragma once

#include <filesystem>
#include <vector>

namespace geotrain
{

using Files = std::vector<std::filesystem::path>;

inline void
Append(Files& files, const Files& more)
{
    files.insert(files.end(), more.begin(), more.end());
}

} // namespace geotrain
