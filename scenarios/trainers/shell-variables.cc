// SPDX-License-Identifier: GPL-2.0-only
#include "trainers/shell-variables.h"

#include "trainers/shell-expressions.h"

#include <algorithm>
#include <cctype>

namespace geotrain
{

namespace
{

constexpr int deepest = 20; ///< values in values

} // namespace

bool
IsNameCharacter(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::size_t
AssignedName(const std::string& word)
{
    const auto end = static_cast<std::size_t>(
        std::find_if_not(word.begin(), word.end(), IsNameCharacter) - word.begin());
    const auto rest = word.compare(end, 2, "+=") == 0 ? end + 1 : end;
    return end > 0 && rest < word.size() && word[rest] == '=' ? end : 0;
}

bool
ShellVariables::Assign(const std::string& word)
{
    constexpr std::size_t longest = 100000; // characters
    const auto length = AssignedName(word);
    auto& value = m_values[word.substr(0, length)];
    const auto assigned = word.substr(word.find('=') + 1);
    value = word[length] == '+' ? value + " " + assigned : assigned;
    return value.size() <= longest;
}

void
ShellVariables::LeaveUnset(const std::vector<std::string>& words)
{
    for (const auto& word : words)
    {
        if (const auto length = AssignedName(word); length > 0)
        {
            m_values.try_emplace(word.substr(0, length));
        }
    }
}

std::string
ShellVariables::ValueOf(const std::string& written) const
{
    return ValueOf(written, 0);
}

/// Is `depth` values deep in other values.
std::string
ShellVariables::ValueOf(const std::string& written, int depth) const
{
    if (written.compare(0, 3, "$((") == 0 && written.size() > 5)
    {
        return IntegerOf(written, depth);
    }
    const std::size_t open = written.compare(0, 2, "${") == 0 ? 2 : 1;
    const auto end = std::find_if_not(
        written.begin() + static_cast<std::ptrdiff_t>(open), written.end(), IsNameCharacter);
    const auto length = static_cast<std::size_t>(end - written.begin()) - open;
    const auto found = m_values.find(written.substr(open, length));
    auto other = std::min(open + length, written.size());
    const bool hasColon = written.compare(other, 1, ":") == 0;
    other += hasColon ? 1 : 0;
    const bool hasOther =
        open == 2 && other + 1 < written.size() && (written[other] == '-' || written[other] == '=');
    if (found != m_values.end() && !(hasOther && hasColon && found->second.empty()))
    {
        return found->second;
    }
    return hasOther ? OtherValue(written.substr(other + 1, written.size() - other - 2), depth)
                    : written;
}

/// Returns the value that stands in for a variable without one.
std::string
ShellVariables::OtherValue(std::string text, int depth) const
{
    if (text.size() >= 2 && (text[0] == '"' || text[0] == '\'') && text.back() == text[0])
    {
        text = text.substr(1, text.size() - 2);
    }
    return !text.empty() && text[0] == '$' && depth < deepest ? ValueOf(text, depth + 1) : text;
}

/// Returns what $((...)) comes to.
std::string
ShellVariables::IntegerOf(const std::string& written, int depth) const
{
    std::string names; // as those without $ are read
    for (const char c : written.substr(3, written.size() - 5))
    {
        names += c == '$' || c == '{' || c == '}' ? ' ' : c;
    }
    const auto valueOf = [&](const std::string& name)
    { return depth < deepest ? ValueOf("$" + name, depth + 1) : ""; };
    const auto value = EvaluateInteger(names, valueOf);
    return value ? std::to_string(*value) : written;
}

} // namespace geotrain
