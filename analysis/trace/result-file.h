// A result file appears whole or not at all: it is written beside its place and moved into it.
#pragma once

#include <filesystem>
#include <functional>

namespace geotrain
{

/// Calls `write` with a path beside `path`, where it must make a file, and moves that to `path`. When
/// `write` throws, what it left is removed. Throws TraceError when the file can't be made or moved.
void WriteIntoPlace(const std::filesystem::path& path,
                    const std::function<void(const std::filesystem::path&)>& write);

/// The same for a text.
void WriteIntoPlace(const std::filesystem::path& path, const std::string& text);

} // namespace geotrain
