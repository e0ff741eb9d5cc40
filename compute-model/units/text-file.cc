// SPDX-License-Identifier: GPL-2.0-only
#include "units/text-file.h"

#include "units/config-error.h"

#include <cerrno>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>

namespace geotrain
{

std::string
ReadTextFile(const std::string& path)
{
    errno = 0;
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    if (in && in.peek() != std::ifstream::traits_type::eof())
    {
        text << in.rdbuf();
    }
    if (!in.is_open() || in.bad() || text.bad())
    {
        const int reason = errno;
        const auto why = std::generic_category().message(reason);
        throw ConfigError(path, "", "", "cannot be read" + (reason == 0 ? "" : " (" + why + ")"));
    }
    constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";
    std::string read = text.str();
    read.erase(
        0, read.compare(0, byteOrderMark.size(), byteOrderMark) == 0 ? byteOrderMark.size() : 0);
    return read;
}

} // namespace geotrain
