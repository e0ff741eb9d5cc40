// SPDX-License-Identifier: GPL-2.0-only
#include "trainers/shell-script.h"

#include "trainers/shell-expressions.h"

#include <algorithm>
#include <cctype>
#include <iterator>

namespace geotrain
{

const char* const followsNoControl =
    "is control flow, which is not followed: paste the command that it runs";

bool
IsOption(const std::string& word)
{
    return word.size() > 1 && word[0] == '-' &&
           (word[1] == '-' || std::isalpha(static_cast<unsigned char>(word[1])) != 0);
}

/// Returns whether a condition holds, and notes where the text alone doesn't tell.
bool
ShellScript::Holds(const std::vector<std::string>& condition)
{
    const auto test = EvaluateTest(condition);
    std::string text;
    for (const auto& word : condition)
    {
        text += (text.empty() ? "" : " ") + word;
    }
    constexpr std::size_t longest = 80; // characters
    if (test.isGuess && IsRun())
    {
        m_command.assumptions.push_back("the script's condition " + text.substr(0, longest) +
                                        " as " + (test.holds ? "true" : "false"));
    }
    return test.holds;
}

/// Returns whether all branches that are open are run.
bool
ShellScript::IsRun() const
{
    return std::all_of(
        m_branches.begin(), m_branches.end(), [](const Branch& branch) { return branch.isRun; });
}

/// Goes on with the next branch of the innermost `if`, where no earlier one has run.
void
ShellScript::BeginElse(const std::string& first, const std::vector<std::string>& condition)
{
    Branch& branch = m_branches.back();
    branch.isRun = !branch.hasRun;
    branch.isRun = branch.isRun && (first == "else" || Holds(condition));
    branch.hasRun = branch.hasRun || branch.isRun;
}

/// Takes the words of if, elif, else, then and fi off a command's, and follows them.
std::optional<ShellFault>
ShellScript::FollowBranches(std::vector<std::string>& words)
{
    while (!words.empty())
    {
        const auto first = words.front();
        const bool isIf = first == "if";
        const bool isElse = first == "elif" || first == "else";
        if (!isIf && !isElse && first != "then" && first != "fi")
        {
            return std::nullopt;
        }
        words.erase(words.begin());
        if ((isElse || first == "fi") && m_branches.empty())
        {
            return ShellFault{first, "has no if"};
        }
        if (isIf)
        {
            m_branches.push_back({IsRun() && Holds(words), false});
            m_branches.back().hasRun = m_branches.back().isRun;
        }
        else if (first == "fi")
        {
            m_branches.pop_back();
        }
        else if (isElse)
        {
            BeginElse(first, words);
        }
        if (isIf || first == "elif")
        {
            words.clear();
        }
    }
    return std::nullopt;
}

std::optional<ShellFault>
ShellScript::Run(std::vector<std::string> words)
{
    if (auto fault = FollowBranches(words))
    {
        return fault;
    }
    if (words.empty() || m_isSkipped || !IsRun())
    {
        m_variables.LeaveUnset(
            words); // what only such commands would set has no value, as in a shell
        return std::nullopt;
    }
    m_holds = words.front() == "[" || words.front() == "[[" ? Holds(words) : true;
    return AssignAndKeep(words);
}

/// Makes the assignments that a command begins with, and keeps the rest where it has the most options.
std::optional<ShellFault>
ShellScript::AssignAndKeep(const std::vector<std::string>& words)
{
    std::size_t first = 0;
    for (const char* keyword : {"export", "declare", "local", "readonly"})
    {
        first += words[0] == keyword ? 1 : 0;
    }
    for (; first < words.size(); ++first)
    {
        const bool isAssignment = AssignedName(words[first]) > 0;
        if (!isAssignment && !(first == 1 && IsOption(words[1])))
        {
            break;
        }
        if (isAssignment && !m_variables.Assign(words[first]))
        {
            return ShellFault{"", "has a variable that is too long"};
        }
    }
    const std::vector<std::string> command(words.begin() + static_cast<std::ptrdiff_t>(first),
                                           words.end());
    for (const char* control : {"for", "while", "until", "case", "function"})
    {
        if (!command.empty() && command.front() == control)
        {
            return ShellFault{control, followsNoControl};
        }
    }
    const auto options = std::count_if(command.begin(), command.end(), IsOption);
    if (options > 0 && options >= m_options)
    {
        m_command.words = command;
        m_options = options;
    }
    return std::nullopt;
}

void
ShellScript::SkipNextWhere(bool hasSucceeded)
{
    m_isSkipped = m_holds == hasSucceeded;
}

void
ShellScript::SkipNothing()
{
    m_isSkipped = false;
}

const ShellVariables&
ShellScript::Variables() const
{
    return m_variables;
}

bool
ShellScript::IsInBranch() const
{
    return !m_branches.empty();
}

const ShellCommand&
ShellScript::Command() const
{
    return m_command;
}

} // namespace geotrain
