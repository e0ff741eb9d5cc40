// SPDX-License-Identifier: GPL-2.0-only
// Lets a comparison vary over the learned paths in a folder, as `geotrain learn --like` draws them.
#pragma once

#include <filesystem>
#include <string>

namespace geotrain
{

/// Returns a text "PATH=VALUE,..." in which each value that is a folder stands for the model files
/// in it (*.pb), by the numbers in their names. PATH must be a link's `learned`: others are
/// returned as they are. Folders are relative to `from`. Throws ConfigError for a folder without
/// model files.
std::string WithPathFolders(const std::string& vary, const std::filesystem::path& from);

} // namespace geotrain
