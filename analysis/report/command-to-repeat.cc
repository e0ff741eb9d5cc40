// SPDX-License-Identifier: GPL-2.0-only
#include "report/command-to-repeat.h"

#include <nlohmann/json.hpp>

#include <set>
#include <vector>

namespace geotrain
{

namespace
{

/// Returns the words of a command line; quotes stay on.
std::vector<std::string>
WordsOf(const std::string& line)
{
    std::vector<std::string> words(1);
    bool quoted = false;
    for (const char c : line)
    {
        quoted = c == '\'' ? !quoted : quoted;
        if (c == ' ' && !quoted)
        {
            words.emplace_back();
        }
        else
        {
            words.back() += c;
        }
    }
    return words;
}

std::string
WithoutPlace(const std::string& line)
{
    static const std::set<std::string> withValue{"--out", "--jobs"};
    static const std::set<std::string> alone{"--force", "--resume", "--quiet", "--json"};
    std::string command;
    const auto words = WordsOf(line);
    for (std::size_t i = 0; i < words.size(); ++i)
    {
        const auto option = words[i].substr(0, words[i].find('='));
        if (withValue.count(option) > 0)
        {
            i += option == words[i] ? 1 : 0;
        }
        else if (alone.count(words[i]) == 0)
        {
            command += (command.empty() ? "" : " ") + words[i];
        }
    }
    return command;
}

} // namespace

Origin
OriginOf(const std::string& runInfo)
{
    const auto info = nlohmann::json::parse(runInfo, nullptr, false);
    const auto textOf = [&info](const char* name)
    {
        const bool has = info.is_object() && info.contains(name) && info[name].is_string();
        return has ? info[name].get<std::string>() : std::string();
    };
    return {WithoutPlace(textOf("command_line")), textOf("geotrain_version")};
}

} // namespace geotrain
