// SPDX-License-Identifier: GPL-2.0-only
#include "figures/comparison.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace geotrain
{

std::string
CautionOf(const Comparison& comparison)
{
    constexpr std::size_t mostNamed = 2;
    std::vector<std::string> doubtful;
    std::string doubt;
    for (const auto& variant : comparison.variants)
    {
        if (!variant.summary.doubt.empty())
        {
            doubtful.push_back(TitleOf(variant));
            doubt = doubt.empty() ? variant.summary.doubt : doubt;
        }
    }
    if (doubtful.empty())
    {
        return "";
    }
    const auto which =
        doubtful.size() <= mostNamed
            ? fmt::format("{}", fmt::join(doubtful, "; "))
            : fmt::format("{} of {} variants", doubtful.size(), comparison.variants.size());
    return fmt::format("Not to be trusted: {} ({})", which, doubt);
}

} // namespace geotrain
