// Pipeline timelines of several runs below each other on one time axis: the first replica of each, a
// row a stage. Without row labels; what is compared is the pattern.
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
/// empty. Throws TraceError.
std::vector<std::filesystem::path> DrawStackedTimelines(const std::vector<NamedTrace>& runs,
                                                        const std::filesystem::path& stem);

} // namespace geotrain
