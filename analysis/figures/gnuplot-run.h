// SPDX-License-Identifier: GPL-2.0-only
// Runs gnuplot on a script, without a shell and without the user's settings.
#pragma once

#include <filesystem>
#include <string>

namespace geotrain
{

/// Runs `commands` and then the script at the absolute path `script`, with gnuplot's messages in
/// `log`. Throws TraceError when gnuplot is missing or fails.
void RunGnuplot(const std::string& commands,
                const std::filesystem::path& script,
                const std::filesystem::path& log);

} // namespace geotrain
