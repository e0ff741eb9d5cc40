// SPDX-License-Identifier: GPL-2.0-only
// Says what a shell's tests and integer expressions come to, as far as a text alone tells.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

/// A ShellTest is what a condition comes to.
struct ShellTest
{
    bool holds = false;
    /// The text alone doesn't tell: files are taken to be there, commands to succeed, variables that
    /// the text doesn't set to be empty, and what is not understood not to hold.
    bool isGuess = false;
};

/// Evaluates the words of a condition: tests in [ ] or [[ ]], and commands, with ! && ||. A word that
/// begins with $ is a variable without a value.
ShellTest EvaluateTest(const std::vector<std::string>& words);

/// Evaluates an integer expression of numbers, names, + - * / % and parentheses. `valueOf` gives a
/// name's value. Nothing where it is no such expression, or leaves the range of 2^53.
std::optional<std::int64_t>
EvaluateInteger(const std::string& expression,
                const std::function<std::string(const std::string&)>& valueOf);

} // namespace geotrain
