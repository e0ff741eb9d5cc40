// SPDX-License-Identifier: GPL-2.0-only
#include "units/json-text.h"

#include "units/config-error.h"

#include <algorithm>
#include <fstream>

namespace geotrain
{

namespace
{

/// Returns how deep lists and objects nest, of JSON or what begins like it. nlohmann's callback
/// would tell the depth too, but takes time that is quadratic in a list's length.
std::size_t
DepthOf(const std::string& text)
{
    std::size_t depth = 0;
    std::size_t deepest = 0;
    bool inString = false;
    for (std::size_t at = 0; at < text.size(); ++at)
    {
        const char c = text[at];
        if (c == '"')
        {
            inString = !inString;
        }
        else if (inString)
        {
            at += c == '\\' ? 1 : 0;
        }
        else if (c == '[' || c == '{')
        {
            deepest = std::max(deepest, ++depth);
        }
        else if ((c == ']' || c == '}') && depth > 0)
        {
            --depth;
        }
    }
    return deepest;
}

} // namespace

nlohmann::json
ParseJson(const std::string& text, const std::string& file)
{
    constexpr std::size_t deepest = 64;
    if (DepthOf(text) > deepest)
    {
        throw ConfigError(file,
                          "",
                          "",
                          "must nest lists and objects " + std::to_string(deepest) +
                              " deep at most");
    }
    try
    {
        return nlohmann::json::parse(text);
    }
    catch (const nlohmann::json::parse_error& error)
    {
        // Python's json writes what RFC 8259 doesn't have.
        const auto rest = std::string_view(text).substr(std::min(error.byte - 1, text.size()));
        const bool isNumber = rest.substr(0, 8) == "Infinity" || rest.substr(0, 3) == "NaN";
        throw ConfigError(file,
                          "byte " + std::to_string(error.byte),
                          isNumber ? std::string(rest.substr(0, rest[0] == 'I' ? 8 : 3)) : "",
                          isNumber ? "is no number of JSON: write null, or a finite number"
                                   : "must be valid JSON");
    }
    catch (const nlohmann::json::exception&) // a number beyond a double
    {
        throw ConfigError(file, "", "", "must be JSON with numbers that can be stored");
    }
}

nlohmann::json
TryJson(std::string_view text)
{
    return nlohmann::json::parse(text, nullptr, false);
}

nlohmann::ordered_json
TryOrderedJson(std::string_view text)
{
    return nlohmann::ordered_json::parse(text, nullptr, false);
}

nlohmann::ordered_json
TryJsonFile(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return nlohmann::ordered_json::parse(file, nullptr, false, true);
}

} // namespace geotrain
