// The folder that a run or a comparison writes.
#pragma once

#include <filesystem>
#include <string>

namespace geotrain
{

/// Makes the folder `out`, or results/<name>-<n> with the first free n where `out` is empty. One that is
/// there and not empty is emptied with `force`, and refused with ConfigError without.
std::filesystem::path MakeRunFolder(const std::string& out, const std::string& name, bool force);

} // namespace geotrain
