// SPDX-License-Identifier: GPL-2.0-only
// Tries in a child process what loading a shared library does. Its static initialisers may throw,
// crash or end the process, and ns-3 ends it or goes on with two TypeIds of one name.
#pragma once

#include <filesystem>
#include <string>

namespace geotrain
{

/// Returns why the shared library can't be used for congestion controls, as the rule of an error;
/// empty where it can.
std::string WhyNotUsable(const std::filesystem::path& library);

} // namespace geotrain
