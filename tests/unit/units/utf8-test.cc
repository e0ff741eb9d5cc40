// SPDX-License-Identifier: GPL-2.0-only
#include "units/utf8.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

// "é" is C3 A9, "東" is E6 9D B1 and the party popper is F0 9F 8E 89 (RFC 3629, section 3).
TEST(Utf8, LettersTakeOneToFourBytes)
{
    EXPECT_EQ(FirstLetter("a").code, 'a');
    EXPECT_EQ(FirstLetter("\xc3\xa9x").code, 0xe9);
    EXPECT_EQ(FirstLetter("\xc3\xa9x").bytes, 2u);
    EXPECT_EQ(FirstLetter("\xe6\x9d\xb1").code, 0x6771);
    EXPECT_EQ(FirstLetter("\xf0\x9f\x8e\x89").code, 0x1f389);
    EXPECT_EQ(FirstLetter("\xf0\x9f\x8e\x89").bytes, 4u);
}

TEST(Utf8, EncodesWhatItReads)
{
    for (const char* text : {"a", "\xc3\xa9", "\xe6\x9d\xb1", "\xf0\x9f\x8e\x89"})
    {
        EXPECT_EQ(EncodeLetter(FirstLetter(text).code), text);
    }
    EXPECT_EQ(EncodeLetter(0x110000), ""); // behind the last code point
}

TEST(Utf8, CountsLettersAndNotBytes)
{
    EXPECT_EQ(CountLetters(""), 0u);
    EXPECT_EQ(CountLetters("S\xc3\xa3o"), 3u);
    EXPECT_EQ(CountLetters("a\xff\xe6\x9d"), 4u); // a broken byte is one
}

TEST(Utf8, TakesWholeLetters)
{
    EXPECT_EQ(TakeBytes("a\xc3\xa9z", 2), "a");
    EXPECT_EQ(TakeBytes("a\xc3\xa9z", 3), "a\xc3\xa9");
    EXPECT_EQ(TakeBytes("a\xc3\xa9z", 100), "a\xc3\xa9z");
    EXPECT_EQ(TakeBytes("\xc3\xa9", 0), "");
}

TEST(Utf8, FindsTheFirstBrokenByte)
{
    EXPECT_EQ(FindBrokenByte("S\xc3\xa3o"), std::string_view::npos);
    EXPECT_EQ(FindBrokenByte("S\xc3\xa3o\xff"), 4u);
    EXPECT_EQ(FindBrokenByte("a\xc3"), 1u);        // cut
    EXPECT_EQ(FindBrokenByte("a\xc0\x80"), 1u);    // overlong
    EXPECT_EQ(FindBrokenByte("\xed\xa0\x80"), 0u); // a surrogate
}

} // namespace
} // namespace geotrain
