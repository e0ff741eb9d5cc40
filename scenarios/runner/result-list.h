// SPDX-License-Identifier: GPL-2.0-only
// Knows which files of a folder of results geotrain wrote: those that its run-info.json lists with
// their sizes and, of a run that was killed, those of the record that it kept (ResultRecord). Only they
// are ever removed.
#pragma once

#include "trace/result-file.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <optional>

namespace geotrain
{

constexpr const char* RUN_INFO = "run-info.json";

/// Returns the list of a folder as the object `files` of its run-info.json: sizes in bytes by path from
/// there, null for the run-info.json of a run inside. Files of the record come with the sizes that they
/// have now. Null where the folder has no list.
nlohmann::ordered_json ResultListOf(const std::filesystem::path& folder);

/// Removes the files that a folder's list names, and the folders that are empty then. A path that leads
/// out of the folder or through a symbolic link is no file of the list. Throws ConfigError, before
/// anything is removed, where a file has another size than in the list: somebody has changed it.
void RemoveResults(const std::filesystem::path& folder);

/// A ResultUpdate adds to the list of a folder what is written below it while this lives. It does nothing
/// where the folder has no run-info.json.
class ResultUpdate
{
  public:
    explicit ResultUpdate(std::filesystem::path folder);
    ~ResultUpdate();
    ResultUpdate(const ResultUpdate&) = delete;
    ResultUpdate& operator=(const ResultUpdate&) = delete;

  private:
    std::filesystem::path m_folder;
    std::optional<ResultRecord> m_record;
};

} // namespace geotrain
