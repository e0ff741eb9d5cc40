// SPDX-License-Identifier: GPL-2.0-only
#include "cli/completion.h"

#include "cli/verb.h"

#include <algorithm>

namespace geotrain
{

namespace
{

// The text between the first `open` and the `close` behind it; empty where they are not there.
std::string
Between(const std::string& text, const std::string& open, char close)
{
    const auto begin = text.find(open);
    if (begin == std::string::npos)
    {
        return "";
    }
    const auto end = text.find(close, begin + open.size());
    return end == std::string::npos ? ""
                                    : text.substr(begin + open.size(), end - begin - open.size());
}

std::vector<std::string>
ValuesOf(const CLI::Option& option)
{
    const auto listed = Between(option.get_description(), "`list ", '`');
    if (!listed.empty())
    {
        return ListedNames(listed);
    }
    return CLI::detail::split(Between(option.get_type_name(), "{", '}'), ',');
}

void
AddOptionNames(const CLI::App& app, std::vector<std::string>& names)
{
    for (const auto* option : app.get_options())
    {
        for (const auto& name : option->get_lnames())
        {
            names.push_back("--" + name);
        }
    }
}

std::vector<std::string>
CandidatesOfVerb(const CLI::App& verb, const std::string& previous, const std::string& current)
{
    const auto* before = verb.get_option_no_throw(previous);
    if (before != nullptr && before->get_expected_max() > 0)
    {
        return ValuesOf(*before);
    }
    std::vector<std::string> candidates;
    if (!current.empty() && current.front() == '-')
    {
        AddOptionNames(verb, candidates);
        return candidates;
    }
    for (const auto* option : verb.get_options())
    {
        if (option->get_positional())
        {
            return ValuesOf(*option);
        }
    }
    return candidates;
}

std::vector<std::string>
Candidates(const CLI::App& app, const std::vector<std::string>& words)
{
    if (words.size() > 1)
    {
        const auto verb = app.get_subcommands([&words](const CLI::App* some)
                                              { return some->get_name() == words.front(); });
        return verb.empty()
                   ? std::vector<std::string>{}
                   : CandidatesOfVerb(*verb.front(), words[words.size() - 2], words.back());
    }
    std::vector<std::string> candidates;
    for (const auto* verb : app.get_subcommands({}))
    {
        candidates.push_back(verb->get_name());
    }
    AddOptionNames(app, candidates);
    return candidates;
}

} // namespace

std::vector<std::string>
Completions(const CLI::App& app, const std::vector<std::string>& words)
{
    if (words.empty())
    {
        return {};
    }
    auto candidates = Candidates(app, words);
    const auto& begun = words.back();
    candidates.erase(std::remove_if(candidates.begin(),
                                    candidates.end(),
                                    [&begun](const std::string& candidate)
                                    { return candidate.rfind(begun, 0) != 0; }),
                     candidates.end());
    return candidates;
}

} // namespace geotrain
