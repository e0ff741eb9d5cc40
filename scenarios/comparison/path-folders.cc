// SPDX-License-Identifier: GPL-2.0-only
#include "comparison/path-folders.h"

#include "units/config-error.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>
#include <string_view>
#include <vector>

namespace geotrain
{

namespace
{

namespace fs = std::filesystem;

constexpr std::string_view learnedField = "].learned=";

/// Orders names of equal length by their letters and shorter ones first, so that path-2 comes
/// before path-10.
bool
IsBefore(const std::string& a, const std::string& b)
{
    return a.size() != b.size() ? a.size() < b.size() : a < b;
}

/// Returns the model files in `from`/`folder`, below `folder`.
std::vector<std::string>
ModelFilesIn(const std::string& folder, const fs::path& from)
{
    std::vector<std::string> files;
    for (const auto& entry : fs::directory_iterator(from / folder))
    {
        if (entry.path().extension() == ".pb")
        {
            files.push_back((fs::path(folder) / entry.path().filename()).string());
        }
    }
    if (files.empty())
    {
        throw ConfigError("--vary", "", folder, "is a folder without model files (*.pb)");
    }
    std::sort(files.begin(), files.end(), IsBefore);
    return files;
}

} // namespace

std::string
WithPathFolders(const std::string& vary, const fs::path& from)
{
    const std::size_t found = vary.find(learnedField);
    if (found == std::string::npos)
    {
        return vary;
    }
    const std::size_t begin = found + learnedField.size();
    std::istringstream list(vary.substr(begin));
    std::vector<std::string> values;
    for (std::string value; std::getline(list, value, ',');)
    {
        std::error_code error;
        if (!value.empty() && fs::is_directory(from / value, error))
        {
            const auto files = ModelFilesIn(value, from);
            values.insert(values.end(), files.begin(), files.end());
        }
        else
        {
            values.push_back(value);
        }
    }
    return vary.substr(0, begin) + fmt::format("{}", fmt::join(values, ","));
}

} // namespace geotrain
