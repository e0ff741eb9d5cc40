// SPDX-License-Identifier: GPL-2.0-only
// Makes the folder into which a run or a comparison writes.
#pragma once

#include <filesystem>
#include <string>

namespace geotrain
{

/// Makes the folder `out`, or results/NAME-N with the first free N where `out` is an empty
/// text. With `force`, earlier results in it are removed, and what geotrain did not write is kept and
/// named on stderr. Throws ConfigError for any other folder that is not empty, for one that another
/// process writes into, and for results in a working directory, a home or a repository's root.
std::filesystem::path MakeRunFolder(const std::string& out, const std::string& name, bool force);

/// Returns the folder `out` with the results of a comparison that is to be resumed; makes it where
/// it doesn't exist. Throws ConfigError where it holds something else or another process writes
/// into it, or `out` is empty.
std::filesystem::path ResumeRunFolder(const std::string& out);

/// Keeps other processes from writing into the folder for as long as this one and its children
/// live. Throws ConfigError where another one does; what a kill has left may take a moment to end.
void ClaimRunFolder(const std::filesystem::path& folder);

} // namespace geotrain
