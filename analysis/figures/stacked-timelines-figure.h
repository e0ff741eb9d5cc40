// SPDX-License-Identifier: GPL-2.0-only
// Pipeline timelines of several runs below each other on one time axis: the first replica of each,
// a row a stage. Without row labels; what is compared is the pattern.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace geotrain
{

struct NamedTrace
{
    std::string name;
    std::filesystem::path trace;
};

/// Writes `stem`.png and `stem`.pdf of each run's last iteration; returns the files. `runs` is not
/// empty; `setting` says what they have in common, beside the time axis. Throws TraceError.
std::vector<std::filesystem::path> DrawStackedTimelines(const std::vector<NamedTrace>& runs,
                                                        const std::string& setting,
                                                        const std::filesystem::path& stem);

} // namespace geotrain
