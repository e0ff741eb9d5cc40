// SPDX-License-Identifier: GPL-2.0-only
// The folder that a run or a comparison writes.
#pragma once

#include <filesystem>
#include <string>

namespace geotrain
{

/// Makes the folder `out`, or results/<name>-<n> with the first free n where `out` is empty. One
/// that is there and not empty is emptied with `force`, and refused with ConfigError without.
std::filesystem::path MakeRunFolder(const std::string& out, const std::string& name, bool force);

/// The folder `out` of results that are to be gone on with; made where there is none. Throws
/// ConfigError where it holds something else, or `out` is empty.
std::filesystem::path ResumeRunFolder(const std::string& out);

} // namespace geotrain
