// SPDX-License-Identifier: GPL-2.0-only
// The one way in which files of results come into being. A file appears whole or not at all: it has no
// name until it is written, and then gets its final one. No link is followed on the way, and the files
// of a folder of results are listed in a record, so that nothing else is ever taken for one of them.
#pragma once

#include "trace/trace-error.h"

#include <filesystem>
#include <functional>
#include <string>

namespace geotrain
{

/// A ResultFile is one file that is not yet in its place.
class ResultFile
{
  public:
    /// `path` is the final place. Throws TraceError where no file can be made in its folder.
    explicit ResultFile(std::filesystem::path path);

    /// Removes the file, unless it was moved into place.
    ~ResultFile();

    ResultFile(const ResultFile&) = delete;
    ResultFile& operator=(const ResultFile&) = delete;

    /// Returns the path to write to, /dev/fd/N. Programs that this process starts can use it too.
    const std::filesystem::path& Beside() const;

    /// Moves the file into place; it must be closed. Throws TraceError when that fails.
    void MoveIntoPlace();

  private:
    std::filesystem::path UnusedName(const std::function<bool(const char*)>& take) const;

    std::filesystem::path m_path;
    std::filesystem::path m_part; ///< name until the file is in place; empty where it has none
    int m_file = -1;
    std::filesystem::path m_beside;
};

/// A ResultRecord lists, for as long as it lives, the files that this process and its children write
/// below a folder, in the file run-info.json.files of that folder: a line per file, as a path from
/// there. It takes the place of the record before it, which is in use again afterwards.
class ResultRecord
{
  public:
    explicit ResultRecord(const std::filesystem::path& folder);
    ~ResultRecord();
    ResultRecord(const ResultRecord&) = delete;
    ResultRecord& operator=(const ResultRecord&) = delete;

    /// Returns the record's file in `folder`.
    static std::filesystem::path In(const std::filesystem::path& folder);

  private:
    std::filesystem::path m_before;
};

/// Lists `path` in the record, if there is one and the file is below its folder. Files of ResultFile are
/// listed by it. Throws TraceError where the record can't be written.
void RecordResult(const std::filesystem::path& path);

/// Lists a file that is written in place. Throws TraceError also where a symbolic link is there.
void RecordInPlace(const std::filesystem::path& path);

/// Makes a folder for results, and those above it. Throws TraceError where the folder is a symbolic link.
void MakeResultFolder(const std::filesystem::path& folder);

/// Returns the error of the file `path`, which can't be written, with the reason that the system
/// gave last (errno). Set errno to 0 before the file is opened.
TraceError WriteFailure(const std::filesystem::path& path);

/// Makes the file `path` through `write`, which gets the path to write to. Throws TraceError when
/// the file can't be moved, and whatever `write` throws.
void WriteIntoPlace(const std::filesystem::path& path,
                    const std::function<void(const std::filesystem::path&)>& write);

/// Writes `text` to the file `path`. Throws TraceError when it can't be written.
void WriteIntoPlace(const std::filesystem::path& path, const std::string& text);

} // namespace geotrain
