// SPDX-License-Identifier: GPL-2.0-only
// A pattern that texts are searched for, by the C library's regular expressions. std::regex calls itself once per
// character, so that a long text ends the program, and each library that uses it takes seconds longer to compile.
#pragma once

#include <cstddef>
#include <regex.h>
#include <string_view>
#include <vector>

namespace geotrain
{

/// TextPattern is an extended regular expression of POSIX: it has no \d, no lookahead, and "[^[]" for
/// all but a bracket.
class TextPattern
{
  public:
    explicit TextPattern(const char* expression);
    ~TextPattern();
    TextPattern(const TextPattern&) = delete;
    TextPattern& operator=(const TextPattern&) = delete;

    /// Returns the first match that begins at `from` or later, and then its groups, as parts of
    /// `text`; nothing where there is no match. A group that takes no part in it has no data().
    std::vector<std::string_view> FindIn(std::string_view text, std::size_t from = 0) const;

    /// Returns whether there is a match.
    bool IsIn(std::string_view text) const;

  private:
    regex_t m_expression = {};
};

} // namespace geotrain
