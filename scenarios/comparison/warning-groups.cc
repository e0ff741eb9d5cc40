// SPDX-License-Identifier: GPL-2.0-only
#include "comparison/warning-groups.h"

#include <algorithm>
#include <cstdlib>
#include <regex>

namespace geotrain
{

/// Returns a text's numbers, and what is around them. A number is a word, maybe in brackets and
/// with "%" or punctuation behind it.
WarningGroups::Group
WarningGroups::GroupOf(const std::string& text)
{
    static const std::regex number(
        R"((?:^| )\(?(-?\d{1,20}(?:\.\d{1,20})?(?:e[-+]?\d{1,3})?)(?=[%.,;:)]{0,5}(?: |$)))");
    Group group;
    auto rest = text.begin();
    for (std::sregex_iterator found(text.begin(), text.end(), number), end; found != end; ++found)
    {
        const auto& digits = (*found)[1];
        group.texts.emplace_back(rest, digits.first);
        group.least.push_back(digits);
        rest = digits.second;
    }
    group.texts.emplace_back(rest, text.end());
    group.most = group.least;
    return group;
}

void
WarningGroups::Add(const std::string& text, const std::string& variant)
{
    const auto own = GroupOf(text);
    auto group = std::find_if(m_groups.begin(),
                              m_groups.end(),
                              [&own](const Group& other) { return other.texts == own.texts; });
    if (group == m_groups.end())
    {
        group = m_groups.insert(group, own);
    }
    const auto isLess = [](const std::string& a, const std::string& b)
    { return std::atof(a.c_str()) < std::atof(b.c_str()); };
    for (std::size_t i = 0; i < own.least.size(); ++i)
    {
        group->least[i] = std::min(group->least[i], own.least[i], isLess);
        group->most[i] = std::max(group->most[i], own.most[i], isLess);
    }
    auto& variants = group->variants;
    if (std::find(variants.begin(), variants.end(), variant) == variants.end())
    {
        variants.push_back(variant);
    }
}

std::vector<GroupedWarning>
WarningGroups::Get() const
{
    std::vector<GroupedWarning> warnings;
    for (const auto& group : m_groups)
    {
        auto text = group.texts.front();
        for (std::size_t i = 0; i < group.least.size(); ++i)
        {
            const auto& least = group.least[i];
            const auto& most = group.most[i];
            text += least + (least == most ? "" : " to " + most) + group.texts[i + 1];
        }
        warnings.push_back({text, group.variants});
    }
    return warnings;
}

} // namespace geotrain
