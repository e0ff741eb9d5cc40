// A result file appears whole or not at all: it is written beside its place and moved into it.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace geotrain
{

class ResultFile
{
  public:
    explicit ResultFile(std::filesystem::path path);

    /// Removes what is beside, unless it was moved.
    ~ResultFile();

    ResultFile(const ResultFile&) = delete;
    ResultFile& operator=(const ResultFile&) = delete;

    /// Where to write.
    const std::filesystem::path& Beside() const;

    /// Moves what is beside into place; it must be closed. Throws TraceError when that fails.
    void MoveIntoPlace();

  private:
    std::filesystem::path m_path;
    std::filesystem::path m_beside;
};

/// Makes the file `path` through `write`, which is told where to write. Throws TraceError when the
/// file can't be moved, and what `write` throws.
void WriteIntoPlace(const std::filesystem::path& path,
                    const std::function<void(const std::filesystem::path&)>& write);

/// The same for a text. Throws TraceError when it can't be written.
void WriteIntoPlace(const std::filesystem::path& path, const std::string& text);

} // namespace geotrain
