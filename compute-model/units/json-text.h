// SPDX-License-Identifier: GPL-2.0-only
// Reads JSON (RFC 8259). A library that calls nlohmann's parser by itself takes over a second longer to compile.
#pragma once

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <string_view>

namespace geotrain
{

/// Returns the value that `text` holds. Lists and objects nest 64 deep at most, since those who
/// walk over the value recurse. Throws ConfigError that names `file` and the byte.
nlohmann::json ParseJson(const std::string& text, const std::string& file);

/// Returns the value that `text` holds; one that is_discarded() where it is no JSON.
nlohmann::json TryJson(std::string_view text);

/// The same, with the members of objects in the order of the text.
nlohmann::ordered_json TryOrderedJson(std::string_view text);

/// The same of a file, in which comments are skipped.
nlohmann::ordered_json TryJsonFile(const std::filesystem::path& path);

} // namespace geotrain
