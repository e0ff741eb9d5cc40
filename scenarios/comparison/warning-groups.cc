// SPDX-License-Identifier: GPL-2.0-only
#include "comparison/warning-groups.h"

#include "units/text-pattern.h"

#include <algorithm>
#include <cstdlib>

namespace geotrain
{

/// Returns a text's numbers, and what is around them. A number is a word, maybe in brackets and
/// with "%" or punctuation behind it.
WarningGroups::Group
WarningGroups::GroupOf(const std::string& text)
{
    static const TextPattern number(
        "(^| )\\(?(-?[0-9]{1,20}(\\.[0-9]{1,20})?(e[-+]?[0-9]{1,3})?)[%.,;:)]{0,5}( |$)");
    Group group;
    std::size_t rest = 0;
    for (auto found = number.FindIn(text); !found.empty(); found = number.FindIn(text, rest))
    {
        const auto& digits = found[2];
        const auto begin = static_cast<std::size_t>(digits.data() - text.data());
        group.texts.push_back(text.substr(rest, begin - rest));
        group.least.emplace_back(digits);
        rest = begin + digits.size();
    }
    group.texts.push_back(text.substr(rest));
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
