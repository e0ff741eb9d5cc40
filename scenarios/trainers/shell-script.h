// SPDX-License-Identifier: GPL-2.0-only
// Follows a shell's commands one after another: assignments, if and its branches, && and ||, as far as the
// text alone tells. Of the commands that would run it keeps the one with the most options.
#pragma once

#include "trainers/shell-variables.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

/// A ShellCommand is a command as a shell would run it.
struct ShellCommand
{
    std::vector<std::string> words;
    std::vector<std::string> assumptions; ///< on conditions of which the text alone doesn't tell
};

/// Returns whether a word begins with - or -- as an option does.
bool IsOption(const std::string& word);

/// A ShellFault is what can't be followed, and why.
struct ShellFault
{
    std::string value;
    std::string rule;
};

extern const char* const followsNoControl; ///< rule of loops and their like

/// A ShellScript is where a script stands.
class ShellScript
{
  public:
    /// Runs a command, which may be empty. Returns what is wrong with it.
    std::optional<ShellFault> Run(std::vector<std::string> words);

    /// The next command is left out where the latest one succeeded (||) or failed (&&).
    void SkipNextWhere(bool hasSucceeded);

    /// The next command follows a new line or a semicolon.
    void SkipNothing();

    const ShellVariables& Variables() const;

    /// Says whether an `if` has not ended.
    bool IsInBranch() const;

    /// Returns the command with the most options.
    const ShellCommand& Command() const;

  private:
    /// A Branch is an `if` that has not ended.
    struct Branch
    {
        bool isRun;  ///< the commands that are being read
        bool hasRun; ///< one of its branches
    };

    bool Holds(const std::vector<std::string>& condition);
    bool IsRun() const;
    std::optional<ShellFault> FollowBranches(std::vector<std::string>& words);
    void BeginElse(const std::string& first, const std::vector<std::string>& condition);
    std::optional<ShellFault> AssignAndKeep(const std::vector<std::string>& words);

    ShellVariables m_variables;
    ShellCommand m_command;
    std::ptrdiff_t m_options = 0;
    std::vector<Branch> m_branches; ///< from the outermost on
    bool m_holds = true;            ///< the latest command succeeded
    bool m_isSkipped = false;       ///< && or || leaves the command out
};

} // namespace geotrain
