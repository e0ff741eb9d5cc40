// SPDX-License-Identifier: GPL-2.0-only
#include "cli/completion.h"

#include "cli/verb.h"
#include "suite/paper-suite.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>

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

/// Returns the names of figures that --only takes: those of the folders that the command line names,
/// or the suite's.
std::vector<std::string>
FigureNames(const std::vector<std::string>& words)
{
    std::set<std::string> names;
    for (const auto& word : words)
    {
        std::error_code ignored;
        for (const auto& file :
             std::filesystem::directory_iterator(std::filesystem::path(word) / "figures", ignored))
        {
            if (file.path().extension() == ".gp")
            {
                names.insert(file.path().stem().string());
            }
        }
    }
    if (std::any_of(words.begin(),
                    words.end(),
                    [](const auto& word) { return word.rfind("--suite", 0) == 0; }))
    {
        const auto figures = PaperFigureNames();
        names.insert(figures.begin(), figures.end());
    }
    return {names.begin(), names.end()};
}

std::vector<std::string>
ValuesOf(const CLI::Option& option, const std::vector<std::string>& words)
{
    if (option.check_lname("only"))
    {
        return FigureNames(words);
    }
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

/// Returns what OPTION=VALUE may become.
std::vector<std::string>
CandidatesWithOption(const CLI::App& verb, const std::vector<std::string>& words)
{
    const auto& current = words.back();
    const auto name = current.substr(0, current.find('='));
    const auto* option = verb.get_option_no_throw(name);
    auto candidates = option == nullptr ? std::vector<std::string>{} : ValuesOf(*option, words);
    for (auto& candidate : candidates)
    {
        candidate.insert(0, name + "=");
    }
    return candidates;
}

std::vector<std::string>
CandidatesOfVerb(const CLI::App& verb, const std::vector<std::string>& words)
{
    const auto* before = verb.get_option_no_throw(words[words.size() - 2]);
    const auto& current = words.back();
    if (before != nullptr && before->get_expected_max() > 0)
    {
        return ValuesOf(*before, words);
    }
    std::vector<std::string> candidates;
    if (!current.empty() && current.front() == '-')
    {
        if (current.find('=') != std::string::npos)
        {
            return CandidatesWithOption(verb, words);
        }
        AddOptionNames(verb, candidates);
        return candidates;
    }
    for (const auto* option : verb.get_options())
    {
        if (option->get_positional())
        {
            return ValuesOf(*option, words);
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
        return verb.empty() ? std::vector<std::string>{} : CandidatesOfVerb(*verb.front(), words);
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
    std::vector<std::string> completions;
    if (words.empty())
    {
        return completions;
    }
    const auto& begun = words.back();
    const auto begins = [&begun](const std::string& text) { return text.rfind(begun, 0) == 0; };
    for (const auto& candidate : Candidates(app, words))
    {
        // A name may be begun without its namespace, as in TcpVeg for ns3::TcpVegas.
        const auto colons = candidate.rfind("::");
        const auto last = colons == std::string::npos ? candidate : candidate.substr(colons + 2);
        const auto& completion = begins(candidate) ? candidate : last;
        const bool isNew =
            std::find(completions.begin(), completions.end(), completion) == completions.end();
        if (begins(completion) && isNew)
        {
            completions.push_back(completion);
        }
    }
    return completions;
}

} // namespace geotrain
