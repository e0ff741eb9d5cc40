// SPDX-License-Identifier: GPL-2.0-only
// Says which traces a folder of results lacks, for the verbs that read traces.
#pragma once

#include <filesystem>
#include <string>

namespace geotrain
{

/// Says on stderr which traces a comparison lacks, so that figures and tables leave their variants
/// out. Of a run's folder it says nothing.
void TellOfMissingTraces(const std::filesystem::path& folder);

/// Throws the ConfigError of `verb` for a folder without a trace that can be read.
[[noreturn]] void RefuseWithoutTraces(const std::string& verb, const std::filesystem::path& folder);

} // namespace geotrain
