// SPDX-License-Identifier: GPL-2.0-only
// Makes result files appear whole or not at all: a file is written beside its place and moved into
// it.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace geotrain
{

/// A ResultFile is one file on its way into place.
class ResultFile
{
  public:
    explicit ResultFile(std::filesystem::path path);

    /// Removes the file beside the place, unless it was moved.
    ~ResultFile();

    ResultFile(const ResultFile&) = delete;
    ResultFile& operator=(const ResultFile&) = delete;

    /// Returns where to write.
    const std::filesystem::path& Beside() const;

    /// Moves the file into place; it must be closed. Throws TraceError when that fails.
    void MoveIntoPlace();

  private:
    std::filesystem::path m_path;
    std::filesystem::path m_beside;
};

/// Makes the file `path` through `write`, which is told where to write. Throws TraceError when the
/// file can't be moved, and whatever `write` throws.
void WriteIntoPlace(const std::filesystem::path& path,
                    const std::function<void(const std::filesystem::path&)>& write);

/// Makes the file `path` of a text. Throws TraceError when it can't be written.
void WriteIntoPlace(const std::filesystem::path& path, const std::string& text);

} // namespace geotrain
