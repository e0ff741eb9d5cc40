// SPDX-License-Identifier: GPL-2.0-only
// Says how to repeat a folder of results, from its run-info.json.
#pragma once

#include <string>

namespace geotrain
{

/// An Origin says what made a folder.
struct Origin
{
    std::string command; ///< command line, without what only says where and how to write
    std::string version; ///< of geotrain
};

/// Reads a run-info.json; fields that it does not have stay empty. The command leaves out --out,
/// --force, --resume, --jobs, --quiet and --json, so that equal runs have equal reports.
Origin OriginOf(const std::string& runInfo);

} // namespace geotrain
