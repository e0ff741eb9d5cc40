// SPDX-License-Identifier: GPL-2.0-only
// Lists the figures of a folder in the order in which a report shows them, with what each shows.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace geotrain
{

/// A ListedFigure is a figure that was drawn as SVG.
struct ListedFigure
{
    std::string stem; ///< file name without extension
    std::string title;
    std::string shows; ///< a sentence; empty for a figure that the list does not know
};

/// Returns the figures in `folder`: known ones first, others by name. None without a folder.
std::vector<ListedFigure> FiguresIn(const std::filesystem::path& folder);

/// Returns a name such as `gpu_utilization` or `wan-throughput` as people write it.
std::string Phrase(const std::string& name);

} // namespace geotrain
