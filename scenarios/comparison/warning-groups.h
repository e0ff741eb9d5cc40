// SPDX-License-Identifier: GPL-2.0-only
// Gathers the warnings of a comparison's runs, so that each is told once. Warnings that differ in
// their numbers alone become one: "lost 1.4 to 129.1 MB".
#pragma once

#include "report/comparison-report.h"

#include <string>
#include <vector>

namespace geotrain
{

/// WarningGroups are the warnings in the order in which they came first.
class WarningGroups
{
  public:
    /// Adds a warning that a run of `variant` gave.
    void Add(const std::string& text, const std::string& variant);

    /// Returns the groups. Where the numbers of a group differ, its text has "LEAST to MOST".
    std::vector<GroupedWarning> Get() const;

  private:
    struct Group
    {
        std::vector<std::string> texts; ///< before, between and behind the numbers
        std::vector<std::string> least;
        std::vector<std::string> most;
        std::vector<std::string> variants;
    };

    static Group GroupOf(const std::string& text);

    std::vector<Group> m_groups;
};

} // namespace geotrain
