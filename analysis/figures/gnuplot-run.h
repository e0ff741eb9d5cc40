// SPDX-License-Identifier: GPL-2.0-only
// Runs gnuplot on a script, without the user's settings.
#pragma once

#include <filesystem>
#include <string>

namespace geotrain
{

/// Runs `commands` and then the script at the absolute path `script`. Returns gnuplot's warnings.
/// Throws TraceError when gnuplot is missing or fails.
std::string RunGnuplot(const std::string& commands, const std::filesystem::path& script);

} // namespace geotrain
