// SPDX-License-Identifier: GPL-2.0-only
#include "path-learning/trace-readers.h"

#include "units/config-error.h"
#include "units/text-file.h"

#include <array>
#include <filesystem>
#include <memory>
#include <string_view>
#include <zlib.h>

namespace geotrain
{

std::string
ReadMaybeGzipped(const std::string& path)
{
    std::error_code error;
    const std::unique_ptr<gzFile_s, decltype(&gzclose)> file(
        std::filesystem::is_regular_file(path, error) ? gzopen(path.c_str(), "rb") : nullptr,
        &gzclose);
    if (!file)
    {
        throw ConfigError(path, "", "", "cannot be read");
    }
    std::string text;
    std::array<char, 1 << 16> block;
    int count = 0;
    while ((count = gzread(file.get(), block.data(), block.size())) > 0)
    {
        text.append(block.data(), static_cast<std::size_t>(count));
        if (text.size() <= block.size()) // before a gigabyte of it is read
        {
            RefuseForeign(path, text);
        }
    }
    int code = Z_OK;
    const std::string what = gzerror(file.get(), &code);
    if (count < 0 || code != Z_OK) // a cut file ends with Z_BUF_ERROR
    {
        throw ConfigError(path, "", "", "is cut or damaged: " + what);
    }
    RefuseForeign(path, text);
    return text;
}

PacketTrace
ParsePacketTrace(const std::string& name, const std::string& text)
{
    const std::string_view firstLine = std::string_view(text).substr(0, text.find('\n'));
    const bool isCsv = firstLine.find("send_s") != std::string_view::npos;
    const bool isLog = !firstLine.empty() &&
                       (firstLine.front() == '#' || firstLine.find(' ') != std::string_view::npos);
    if (!isCsv && !isLog)
    {
        throw ConfigError(name,
                          "",
                          "",
                          "is no packet record: neither a Pantheon tunnel log nor CSV that begins "
                          "with send_s,size_bytes,delay_s");
    }
    return isCsv ? ParsePacketCsv(name, text) : ParsePantheonLog(name, text);
}

} // namespace geotrain
