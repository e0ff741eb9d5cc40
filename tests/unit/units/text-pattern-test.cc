// SPDX-License-Identifier: GPL-2.0-only
// Tests that patterns find what they say, in texts of any length.
#include "units/text-pattern.h"

#include <gtest/gtest.h>

#include <string>

namespace geotrain
{

namespace
{

TEST(TextPattern, FindsTheFirstMatchAndItsGroups)
{
    const TextPattern range("([0-9]+)\\.\\.([0-9]+)(x)?");
    const std::string text = "of 1..40 and 5..6x";
    const auto first = range.FindIn(text);
    ASSERT_EQ(first.size(), 4U);
    EXPECT_EQ(first[0], "1..40");
    EXPECT_EQ(first[0].data(), text.data() + 3);
    EXPECT_EQ(first[1], "1");
    EXPECT_EQ(first[2], "40");
    EXPECT_EQ(first[3].data(), nullptr);
    const auto second = range.FindIn(text, 8);
    ASSERT_EQ(second.size(), 4U);
    EXPECT_EQ(second[0], "5..6x");
    EXPECT_EQ(second[3], "x");
    EXPECT_TRUE(range.FindIn(text, 17).empty());
    EXPECT_TRUE(range.FindIn(text, 100).empty());
}

TEST(TextPattern, BeginsWhereTheTextDoes)
{
    const TextPattern word("^a");
    EXPECT_TRUE(word.IsIn("aa"));
    EXPECT_TRUE(word.FindIn("aa", 1).empty());
    EXPECT_FALSE(word.IsIn(""));
    EXPECT_TRUE(TextPattern("^$").IsIn(""));
}

TEST(TextPattern, SearchesBeyondAZeroByteAndLongTexts)
{
    const TextPattern last("^[^[]*(\\[([0-9])\\])?$");
    EXPECT_EQ(TextPattern("b").FindIn(std::string_view("a\0b", 3)).size(), 1U);
    const std::string text = std::string(1000000, 'a') + "[7]";
    EXPECT_EQ(last.FindIn(text).at(2), "7");
    EXPECT_FALSE(last.IsIn(text + "["));
}

TEST(TextPattern, RefusesABrokenExpression)
{
    EXPECT_THROW(TextPattern("("), std::invalid_argument);
}

} // namespace

} // namespace geotrain
