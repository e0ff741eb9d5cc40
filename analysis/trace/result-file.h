// SPDX-License-Identifier: GPL-2.0-only
// Makes result files appear whole or not at all: a file is written under another name beside its
// final place and then moved there.
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
    /// `path` is the final place.
    explicit ResultFile(std::filesystem::path path);

    /// Removes the file, unless it was moved into place.
    ~ResultFile();

    ResultFile(const ResultFile&) = delete;
    ResultFile& operator=(const ResultFile&) = delete;

    /// Returns the path to write to.
    const std::filesystem::path& Beside() const;

    /// Moves the file into place; it must be closed. Throws TraceError when that fails.
    void MoveIntoPlace();

  private:
    std::filesystem::path m_path;
    std::filesystem::path m_beside;
};

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
