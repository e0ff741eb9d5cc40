// SPDX-License-Identifier: GPL-2.0-only
#include "trainers/trainer-config.h"

#include "units/config-error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <sstream>
#include <string_view>

namespace geotrain
{

namespace
{

constexpr std::size_t mostValues = 10000;
constexpr int deepestReference = 20; // interpolations that name interpolations

bool
EndsWith(std::string_view text, std::string_view end)
{
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

/// Returns whether `key` is `path` or its last parts.
bool
IsNamed(std::string_view path, std::string_view key)
{
    return path == key || (EndsWith(path, key) && path.size() > key.size() &&
                           path[path.size() - key.size() - 1] == '.');
}

std::string
LowerCase(std::string text)
{
    std::transform(text.begin(),
                   text.end(),
                   text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

bool
IsAbsent(std::string_view text)
{
    return text == "null" || text == "None" || text == "~" || text == "???";
}

bool
SwitchesOff(const std::string& text)
{
    const auto lower = LowerCase(text);
    return text.empty() || IsAbsent(text) || lower == "false" || lower == "no" || lower == "none" ||
           lower == "disabled" || lower == "off" || lower == "0" || lower == "-1" ||
           lower == "default";
}

/// Returns whether a pattern with * at its ends matches the path or what follows one of its dots.
bool
Matches(std::string_view path, std::string_view pattern)
{
    const bool opensFront = !pattern.empty() && pattern.front() == '*';
    const bool opensBack = pattern.size() > 1 && pattern.back() == '*';
    const auto core = pattern.substr(opensFront ? 1 : 0,
                                     pattern.size() - (opensFront ? 1 : 0) - (opensBack ? 1 : 0));
    for (std::size_t at = path.find(core); at != std::string_view::npos;
         at = path.find(core, at + 1))
    {
        const bool begins = opensFront || at == 0 || path[at - 1] == '.';
        const bool ends = opensBack || at + core.size() == path.size();
        if (begins && ends)
        {
            return true;
        }
    }
    return false;
}

/// Returns the number that is all of the text.
std::optional<std::int64_t>
WholeNumber(const std::string& text)
{
    const std::size_t sign = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
    constexpr std::size_t mostDigits = 18; // fit into 64 bits
    const bool isNumber = text.size() > sign && text.size() <= sign + mostDigits &&
                          std::all_of(text.begin() + static_cast<std::ptrdiff_t>(sign),
                                      text.end(),
                                      [](unsigned char c) { return std::isdigit(c) != 0; });
    return isNumber ? std::optional<std::int64_t>(std::stoll(text)) : std::nullopt;
}

/// Returns the value of "multiply:4, 12288", a resolver of NeMo's, or nothing.
std::optional<std::string>
Computed(const std::string& call)
{
    const auto colon = call.find(':');
    const auto comma = call.find(',');
    if (colon == std::string::npos || comma == std::string::npos || comma < colon)
    {
        return std::nullopt;
    }
    const auto trimmed = [&call](std::size_t begin, std::size_t end)
    {
        begin = call.find_first_not_of(' ', begin);
        const auto last = call.find_last_not_of(' ', end - 1);
        return begin == std::string::npos || last < begin ? ""
                                                          : call.substr(begin, last - begin + 1);
    };
    const auto left = WholeNumber(trimmed(colon + 1, comma));
    const auto right = WholeNumber(trimmed(comma + 1, call.size()));
    const auto name = call.substr(0, colon);
    constexpr std::int64_t most = 1000000000; // of a factor, so that no product overflows
    if (!left || !right || std::abs(*left) > most || std::abs(*right) > most)
    {
        return std::nullopt;
    }
    if (name == "multiply")
    {
        return std::to_string(*left * *right);
    }
    if (name == "sum" || name == "add")
    {
        return std::to_string(*left + *right);
    }
    const bool divides =
        (name == "divide" || name == "int_div" || name == "floor_div") && *right != 0;
    return divides ? std::optional<std::string>(std::to_string(*left / *right)) : std::nullopt;
}

/// Returns a value as it is listed.
std::string
Line(const std::string& path, const std::string& text)
{
    constexpr std::size_t longest = 60; // characters of a value
    const bool isLong = text.size() > longest;
    return path + (text.empty() ? "" : " = " + (isLong ? text.substr(0, longest) + "..." : text));
}

} // namespace

TrainerConfig::TrainerConfig(std::string file, ConfigSyntax syntax)
    : m_file(std::move(file)),
      m_syntax(syntax)
{
}

void
TrainerConfig::Set(const std::string& path, const std::string& value, bool isQuoted)
{
    const auto found = std::find_if(m_values.begin(),
                                    m_values.end(),
                                    [&path](const Value& other) { return other.path == path; });
    if (found != m_values.end())
    {
        *found = {path, value, isQuoted, false};
        return;
    }
    if (m_values.size() == mostValues)
    {
        throw ConfigError(m_file, "", "", fmt::format("must have at most {} values", mostValues));
    }
    m_values.push_back({path, value, isQuoted, false});
}

const TrainerConfig::Value*
TrainerConfig::Find(const Keys& keys) const
{
    for (const auto& key : keys)
    {
        const Value* best = nullptr;
        std::ptrdiff_t depth = std::numeric_limits<std::ptrdiff_t>::max();
        for (const auto& value : m_values)
        {
            const auto dots = std::count(value.path.begin(), value.path.end(), '.');
            if (IsNamed(value.path, key) && dots < depth && !IsAbsent(value.text))
            {
                best = &value;
                depth = dots;
            }
        }
        if (best != nullptr)
        {
            return best;
        }
    }
    return nullptr;
}

TrainerConfig::Value*
TrainerConfig::Take(const Keys& keys)
{
    auto* value = const_cast<Value*>(std::as_const(*this).Find(keys));
    if (value == nullptr)
    {
        return nullptr;
    }
    value->isRead = true;
    value->text = Resolved(*value, 0);
    return IsAbsent(value->text) ? nullptr : value;
}

std::optional<std::string>
TrainerConfig::Reference(const std::string& name, const Value& from, int depth) const
{
    std::string path = name;
    if (!name.empty() && name[0] == '.') // relative to the section of the value
    {
        const auto dot = from.path.rfind('.');
        path = (dot == std::string::npos ? "" : from.path.substr(0, dot + 1)) + name.substr(1);
    }
    // A file that is a section of a larger configuration names itself with that section's name.
    for (std::string rest = path; !rest.empty();)
    {
        const auto found = std::find_if(m_values.begin(),
                                        m_values.end(),
                                        [&rest](const Value& value) { return value.path == rest; });
        if (found != m_values.end())
        {
            return Resolved(*found, depth + 1);
        }
        const auto dot = rest.find('.');
        rest = dot == std::string::npos ? "" : rest.substr(dot + 1);
    }
    return std::nullopt;
}

std::string
TrainerConfig::Resolved(const Value& value, int depth) const
{
    std::string text = value.text;
    if (m_syntax == ConfigSyntax::Shell && text.find_first_of("$`") != std::string::npos)
    {
        throw ConfigError(m_file,
                          value.path,
                          text,
                          "has a shell variable that the text does not set: write its value");
    }
    while (m_syntax == ConfigSyntax::Yaml)
    {
        const auto open = text.rfind("${"); // the innermost is the last to open
        const auto close = open == std::string::npos ? open : text.find('}', open);
        if (close == std::string::npos)
        {
            break;
        }
        const auto name = text.substr(open + 2, close - open - 2);
        const auto found = depth < deepestReference && name.find(':') == std::string::npos
                               ? Reference(name, value, depth)
                               : Computed(name);
        constexpr std::size_t longest = 10000; // characters of a value
        if (!found || text.size() + found->size() > longest)
        {
            throw ConfigError(
                m_file, value.path, value.text, "names " + name + ", which has no value here");
        }
        text.replace(open, close - open + 1, *found);
    }
    return text;
}

std::optional<std::string>
TrainerConfig::FindText(const Keys& keys)
{
    const auto* value = Take(keys);
    return value == nullptr ? std::nullopt : std::optional<std::string>(value->text);
}

std::optional<std::int64_t>
TrainerConfig::Find(const Keys& keys, std::int64_t least, std::int64_t most)
{
    const auto* value = Take(keys);
    if (value == nullptr)
    {
        return std::nullopt;
    }
    const auto number = WholeNumber(value->text);
    if (value->isQuoted || !number || *number < least || *number > most)
    {
        Fail(keys, fmt::format("must be a whole number from {} to {}", least, most));
    }
    return number;
}

std::optional<std::uint32_t>
TrainerConfig::FindCount(const Keys& keys, std::uint32_t most)
{
    const auto number = Find(keys, 1, most);
    return number ? std::optional<std::uint32_t>(static_cast<std::uint32_t>(*number))
                  : std::nullopt;
}

std::uint32_t
TrainerConfig::Count(const Keys& keys, std::uint32_t most)
{
    const auto number = FindCount(keys, most);
    if (!number)
    {
        const bool isPart =
            std::any_of(m_values.begin(),
                        m_values.end(),
                        [](const Value& value) { return value.path.rfind("defaults", 0) == 0; });
        Fail(keys,
             isPart
                 ? "is missing: the file takes it from others by `defaults`, so give the composed "
                   "configuration"
                 : "is missing");
    }
    return *number;
}

bool
TrainerConfig::Flag(const Keys& keys, bool absent)
{
    const auto* value = Take(keys);
    if (value == nullptr)
    {
        return absent;
    }
    const auto text = LowerCase(value->text);
    if (text.empty() || text == "true" || text == "1" || text == "yes" || text == "on")
    {
        return true; // an argument without a value is a flag that is set
    }
    if (text != "false" && text != "0" && text != "no" && text != "off")
    {
        Fail(keys, "must be true or false");
    }
    return false;
}

void
TrainerConfig::Forget(const std::string& patterns)
{
    std::istringstream words(patterns);
    for (std::string pattern; words >> pattern;)
    {
        for (auto& value : m_values)
        {
            value.isRead = value.isRead || Matches(value.path, pattern);
        }
    }
}

void
TrainerConfig::Remark(const Keys& keys, const std::string& remark)
{
    if (const auto* value = Take(keys))
    {
        m_remarks.push_back(Line(value->path, value->text) + ": " + remark);
    }
}

std::vector<std::string>
TrainerConfig::WithoutCounterpart() const
{
    auto lines = m_remarks;
    for (const auto& value : m_values)
    {
        // A flag of a command line has no text, and is set by being there.
        const bool isShell = m_syntax == ConfigSyntax::Shell;
        const bool isOff = !(isShell && value.text.empty()) && SwitchesOff(value.text);
        if (!value.isRead && !isOff)
        {
            lines.push_back(Line(value.path, isShell ? Resolved(value, 0) : value.text));
        }
    }
    return lines;
}

void
TrainerConfig::Fail(const Keys& keys, const std::string& rule) const
{
    const auto* value = Find(keys);
    throw ConfigError(m_file,
                      value == nullptr ? keys.front() : value->path,
                      value == nullptr ? "" : value->text,
                      rule);
}

} // namespace geotrain
