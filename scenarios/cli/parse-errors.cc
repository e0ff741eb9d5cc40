// SPDX-License-Identifier: GPL-2.0-only
#include "cli/parse-errors.h"

#include "cli/terminal-width.h"

#include <regex>
#include <utility>

namespace geotrain
{

namespace
{

/// Returns the text without its middle where it is very long, as one that quotes a long value is.
std::string
Shortened(const std::string& text)
{
    constexpr std::size_t head = 120; // bytes
    constexpr std::size_t tail = 400; // bytes, for the longest rule
    if (text.size() <= 2 * tail)
    {
        return text;
    }
    auto end = text.size() - tail;
    while ((static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) // within a character of UTF-8
    {
        ++end;
    }
    return CutText(text, head) + " ... " + text.substr(end);
}

} // namespace

std::string
PlainParseError(const std::string& message)
{
    static const std::pair<std::regex, const char*> sentences[] = {
        {std::regex("^(\\S+): At Most 1 required but received \\d+$"), "$1: must be given once"},
        {std::regex("^(\\S+): Value ([\\s\\S]*) not in range ([\\d.]*\\.\\d*?)0* to "
                    "(\\d+)\\.0+$"),
         "$1: \"$2\" must be a number from $3 to $4"},
        {std::regex("^(\\S+): Value ([\\s\\S]*) not in range (\\S+) to (\\S+)$"),
         "$1: \"$2\" must be a whole number from $3 to $4"},
        {std::regex("^(\\S+): ([\\s\\S]*) not in \\{([^}]*)\\}$"), "$1: \"$2\" must be one of $3"},
        {std::regex("^Could not convert: (\\S+) = ([\\s\\S]*)$"),
         "$1: \"$2\" must be a whole number"},
        {std::regex("^(\\S+): \\d+ required [\\s\\S]* missing$"), "$1: needs a value"},
        {std::regex("^(\\S+) excludes (\\S+)$"), "$1 and $2 can't be given together"},
        {std::regex("^(\\S+) requires (\\S+)$"), "$1 has no effect without $2"},
    };
    const auto text = Shortened(message);
    for (const auto& [pattern, sentence] : sentences)
    {
        std::smatch parts;
        if (std::regex_match(text, parts, pattern))
        {
            return parts.format(sentence);
        }
    }
    return text;
}

} // namespace geotrain
