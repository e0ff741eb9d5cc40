// SPDX-License-Identifier: GPL-2.0-only
// Gathers the warnings of a comparison's runs, so that each is told once. Warnings that differ in
// their numbers alone become one: "lost 1.4 to 129.1 MB".
#pragma once

#include <string>
#include <vector>

namespace geotrain
{

/// A ComparedWarning is a warning of runs, and the variants whose runs gave it.
struct ComparedWarning
{
    std::string text;
    std::vector<std::string> variants;
};

/// WarningGroups are the warnings in the order in which they came first.
class WarningGroups
{
  public:
    /// Adds a warning that a run of `variant` gave.
    void Add(const std::string& text, const std::string& variant);

    /// Returns the groups. Where the numbers of a group differ, its text has "LEAST to MOST".
    std::vector<ComparedWarning> Get() const;

  private:
    /// A Word is a part of a text between spaces.
    struct Word
    {
        std::string before; ///< the whole word where it is no number; or an opening bracket
        std::string least;  ///< empty where it is no number
        std::string most;
        std::string after; ///< what stands behind the number: "%", ","
    };

    struct Group
    {
        std::vector<Word> words;
        std::vector<std::string> variants;
    };

    static std::vector<Word> WordsOf(const std::string& text);
    static bool AreAlike(const std::vector<Word>& some, const std::vector<Word>& others);

    std::vector<Group> m_groups;
};

} // namespace geotrain
