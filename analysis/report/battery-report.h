// SPDX-License-Identifier: GPL-2.0-only
// Writes the report of a battery of comparisons: an index of their reports, with their figures.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace geotrain
{

/// A BatteryPart is one comparison of a battery.
struct BatteryPart
{
    std::string title;
    std::string folder;   ///< below that of the battery
    std::string question; ///< that it answers
    std::string results;  ///< a sentence on its runs
};

/// Writes report.html into the battery's folder, with links to the report cards that the folder has.
/// Throws TraceError when it can't be written.
void WriteBatteryReport(const std::string& title,
                        const std::vector<BatteryPart>& parts,
                        const std::filesystem::path& folder);

} // namespace geotrain
