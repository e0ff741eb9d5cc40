// SPDX-License-Identifier: GPL-2.0-only
// Reads the text files that importers parse.
#pragma once

#include <string>

namespace geotrain
{

/// Returns the whole file without a UTF-8 byte order mark. Throws ConfigError that names `path`
/// where it cannot be read; a folder cannot.
std::string ReadTextFile(const std::string& path);

} // namespace geotrain
