// SPDX-License-Identifier: GPL-2.0-only
// Checks that a text has some parts, and others not.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace geotrain
{

/// Expects each of `parts` in the text.
inline void
ExpectHas(const std::string& text, const std::vector<std::string>& parts)
{
    for (const auto& part : parts)
    {
        EXPECT_NE(text.find(part), std::string::npos) << part << "\nis not in\n" << text;
    }
}

/// Expects none of `parts` in the text.
inline void
ExpectLacks(const std::string& text, const std::vector<std::string>& parts)
{
    for (const auto& part : parts)
    {
        EXPECT_EQ(text.find(part), std::string::npos) << part << "\nis in\n" << text;
    }
}

/// Returns how often `part` stands in the text.
inline std::size_t
CountIn(const std::string& text, const std::string& part)
{
    std::size_t count = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    {
        ++count;
    }
    return count;
}

} // namespace geotrain
