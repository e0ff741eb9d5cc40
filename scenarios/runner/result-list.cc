// SPDX-License-Identifier: GPL-2.0-only
#include "runner/result-list.h"

#include "trace/trace-error.h"
#include "units/config-error.h"
#include "units/json-text.h"

#include <algorithm>
#include <fstream>
#include <vector>

namespace geotrain
{

namespace
{

namespace fs = std::filesystem;

nlohmann::ordered_json
InfoOf(const fs::path& folder)
{
    return TryJsonFile(folder / RUN_INFO);
}

/// Returns whether `name` leads from the folder to a file in it, through folders and over no link.
bool
IsFileIn(const fs::path& folder, const fs::path& name)
{
    fs::path place = folder;
    auto type = fs::file_type::directory;
    for (const auto& part : name)
    {
        if (part == ".." || part == "." || part.is_absolute() || type != fs::file_type::directory)
        {
            return false;
        }
        place /= part;
        std::error_code missing;
        type = fs::symlink_status(place, missing).type();
    }
    return type == fs::file_type::regular;
}

/// Adds the listed files of a folder and of the runs inside; what makes it a folder of results comes last.
void
FindListed(const fs::path& folder, std::vector<fs::path>& files)
{
    const auto list = ResultListOf(folder);
    for (const auto& [name, size] : list.items())
    {
        const auto path = folder / name;
        if (name == RUN_INFO || !IsFileIn(folder, name))
        {
            continue;
        }
        if (path.filename() == RUN_INFO)
        {
            FindListed(path.parent_path(), files);
            continue;
        }
        if (size != fs::file_size(path))
        {
            throw ConfigError("--out",
                              "",
                              path.string(),
                              "was changed after geotrain wrote it: move it elsewhere first");
        }
        files.push_back(path);
    }
    files.push_back(ResultRecord::In(folder));
    files.push_back(folder / RUN_INFO);
}

} // namespace

nlohmann::ordered_json
ResultListOf(const fs::path& folder)
{
    const auto info = InfoOf(folder);
    nlohmann::ordered_json list;
    if (info.is_object() && info.contains("files") && info["files"].is_object())
    {
        list = info["files"];
    }
    std::ifstream record(ResultRecord::In(folder));
    if (record.is_open() && list.is_null())
    {
        list = nlohmann::ordered_json::object();
    }
    for (std::string name; std::getline(record, name);)
    {
        if (name != RUN_INFO && IsFileIn(folder, name))
        {
            list[name] = fs::file_size(folder / name);
            if (fs::path(name).filename() == RUN_INFO)
            {
                list[name] = nullptr; // it has a list of its own, and grows with that
            }
        }
    }
    return list;
}

void
RemoveResults(const fs::path& folder)
{
    std::vector<fs::path> files;
    FindListed(folder, files);
    for (const auto& file : files)
    {
        std::error_code kept;
        fs::remove(file, kept);
        for (auto above = file.parent_path(); above != folder && fs::remove(above, kept);)
        {
            above = above.parent_path();
        }
    }
}

ResultUpdate::ResultUpdate(fs::path folder)
    : m_folder(std::move(folder))
{
    if (fs::exists(m_folder / RUN_INFO))
    {
        m_record.emplace(m_folder);
    }
}

ResultUpdate::~ResultUpdate()
{
    auto info = InfoOf(m_folder);
    if (!m_record || !info.is_object())
    {
        return;
    }
    try
    {
        info["files"] = ResultListOf(m_folder);
        WriteIntoPlace(m_folder / RUN_INFO, info.dump(2) + "\n");
        fs::remove(ResultRecord::In(m_folder));
    }
    catch (const std::exception&)
    {
        // The record keeps what the list lacks.
    }
}

} // namespace geotrain
