// SPDX-License-Identifier: GPL-2.0-only
// Reads JSON (RFC 8259) that a user hands over.
#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace geotrain
{

/// Returns the value that `text` holds. Lists and objects nest 64 deep at most, since those who
/// walk over the value recurse. Throws ConfigError that names `file` and the byte.
nlohmann::json ParseJson(const std::string& text, const std::string& file);

} // namespace geotrain
