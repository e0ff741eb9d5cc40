// SPDX-License-Identifier: GPL-2.0-only
#include "units/text-file.h"

#include "units/config-error.h"

#include <array>
#include <cerrno>
#include <fstream>
#include <string_view>
#include <system_error>
#include <utility>

namespace geotrain
{

std::string
ReadTextFile(const std::string& path)
{
    errno = 0;
    std::ifstream in(path, std::ios::binary);
    std::string read;
    std::array<char, 1 << 16> block;
    while (in.read(block.data(), block.size()) || in.gcount() > 0)
    {
        read.append(block.data(), static_cast<std::size_t>(in.gcount()));
        if (read.size() <= block.size()) // before a gigabyte of it is read
        {
            RefuseForeign(path, read);
        }
    }
    if (!in.is_open() || in.bad())
    {
        const int reason = errno;
        const auto why = std::generic_category().message(reason);
        throw ConfigError(path, "", "", "cannot be read" + (reason == 0 ? "" : " (" + why + ")"));
    }
    RefuseForeign(path, read);
    constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";
    read.erase(
        0, read.compare(0, byteOrderMark.size(), byteOrderMark) == 0 ? byteOrderMark.size() : 0);
    return read;
}

void
RefuseForeign(const std::string& path, std::string_view text)
{
    const auto refuse = [&path](const std::string& what)
    { throw ConfigError(path, "", "", "is " + what + ", which is not read here"); };
    const std::pair<std::string_view, const char*> beginnings[] = {
        {"\x1f\x8b", "a gzip archive"},
        {"PK\x03\x04", "a zip archive"},
        {{"\0", 1}, "a binary file"},
        {"\xd4\xc3\xb2\xa1", "a packet capture (pcap)"},
        {"\x0a\x0d\x0d\x0a", "a packet capture (pcapng)"}};
    for (const auto& [bytes, what] : beginnings)
    {
        if (text.substr(0, bytes.size()) == bytes)
        {
            refuse(what);
        }
    }
    if (path.size() > 3 && path.compare(path.size() - 3, 3, ".et") == 0)
    {
        refuse("a Chakra execution trace, the compute and communication of one rank");
    }
    const auto has = [&text](std::string_view key)
    { return text.find(key) != std::string_view::npos; };
    if (text.substr(0, 1) == "{" &&
        (has("\"iperf 3") || (has("\"intervals\"") && has("\"bits_per_second\""))))
    {
        refuse("a report of iperf3, with rates and without packets");
    }
}

} // namespace geotrain
