// SPDX-License-Identifier: GPL-2.0-only
// Reads the text files that importers parse.
#pragma once

#include <string>
#include <string_view>

namespace geotrain
{

/// Returns the whole file without a UTF-8 byte order mark. Throws ConfigError that names `path`
/// where it cannot be read; a folder cannot. It refuses what RefuseForeign() does.
std::string ReadTextFile(const std::string& path);

/// Throws ConfigError that says what a file is, where its text is that of another program and no
/// importer reads it: iperf3's JSON, Chakra's execution traces, packet captures, archives.
void RefuseForeign(const std::string& path, std::string_view text);

} // namespace geotrain
