// SPDX-License-Identifier: GPL-2.0-only
#include "trainers/config-readers.h"
#include "trainers/shell-command.h"
#include "units/config-error.h"

#include <algorithm>
#include <cctype>

namespace geotrain
{

namespace
{

/// Returns whether a word is a variable that is not set and may hold options: one that is called so, or
/// one that no option takes as its value.
bool
MayHoldOptions(const std::string& word, bool isValue)
{
    std::string upper;
    for (const unsigned char c : word)
    {
        upper += static_cast<char>(std::toupper(c));
    }
    const auto has = [&upper](const char* part) { return upper.find(part) != std::string::npos; };
    const bool isVariable = word[0] == '$' && word.rfind("$(", 0) != 0;
    return isVariable && (!isValue || has("ARG") || has("OPT") || has("FLAG") || has("[@]"));
}

} // namespace

TrainerConfig
ReadArguments(const std::vector<std::string>& words, const std::string& name)
{
    TrainerConfig config(name, ConfigSyntax::Shell);
    std::string key;
    std::string value;
    const auto set = [&]
    {
        if (!key.empty())
        {
            config.Set(key, value);
        }
        value.clear();
    };
    for (const auto& word : words)
    {
        const bool isScript = word.size() > 3 && word.compare(word.size() - 3, 3, ".py") == 0;
        const bool isDataPath = key.find("data") != std::string::npos;
        if (IsOption(word))
        {
            set();
            const auto equals = std::min(word.find('='), word.size());
            const auto begin = std::min(word.find_first_not_of('-'), equals);
            key = word.substr(begin, equals - begin);
            std::replace(key.begin(), key.end(), '-', '_');
            value = word.substr(std::min(equals + 1, word.size()));
        }
        else if (MayHoldOptions(word, !key.empty() && (value.empty() || isDataPath)))
        {
            throw ConfigError(name, "", word, "is not set in the text: write its value");
        }
        else if (!isScript && !key.empty())
        {
            value += (value.empty() ? "" : " ") + word;
        }
    }
    set();
    if (key.empty())
    {
        throw ConfigError(name, "", "", "must have options, such as --num-layers 32");
    }
    return config;
}

TrainerConfig
ReadShellArguments(const std::string& text, const std::string& name)
{
    const auto command = FindShellCommand(text, name);
    auto config = ReadArguments(command.words, name);
    for (const auto& assumption : command.assumptions)
    {
        config.Assume(assumption);
    }
    return config;
}

} // namespace geotrain
