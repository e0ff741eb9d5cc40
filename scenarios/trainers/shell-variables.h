// SPDX-License-Identifier: GPL-2.0-only
// Holds the variables that a shell's text sets, and says what is written with a $ comes to.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace geotrain
{

/// Returns whether a character may stand in a variable's name.
bool IsNameCharacter(char c);

/// Returns the length of the variable's name that an assignment begins with; 0 for another word.
std::size_t AssignedName(const std::string& word);

/// ShellVariables are variables and arrays by their names. An array is its elements with spaces between.
class ShellVariables
{
  public:
    /// Sets what a word such as NAME=value or NAME+=value says. Returns whether the value is short enough.
    bool Assign(const std::string& word);

    /// Sets variables without a value to empty that these words would set.
    void LeaveUnset(const std::vector<std::string>& words);

    /// Returns the value of $NAME, ${NAME}, ${NAME[@]}, ${NAME:-other} or $((expression)); `written` where
    /// it has none.
    std::string ValueOf(const std::string& written) const;

  private:
    std::string ValueOf(const std::string& written, int depth) const;
    std::string OtherValue(std::string text, int depth) const;
    std::string IntegerOf(const std::string& written, int depth) const;

    std::map<std::string, std::string> m_values;
};

} // namespace geotrain
