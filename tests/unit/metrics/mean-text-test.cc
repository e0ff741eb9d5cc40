// SPDX-License-Identifier: GPL-2.0-only
// A mean is written to the first digit of its interval.
#include "metrics/mean-text.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

std::string
Text(double mean, double halfWidth, int digits = 3)
{
    const auto text = TextOfMean(mean, halfWidth, digits);
    return text.halfWidth.empty() ? text.mean : text.mean + " ± " + text.halfWidth;
}

TEST(MeanText, EndsAtTheFirstDigitOfItsInterval)
{
    EXPECT_EQ(Text(0.96345, 0.0271), "0.96 ± 0.03");
    EXPECT_EQ(Text(2.7031, 0.31), "2.7 ± 0.3");
    EXPECT_EQ(Text(283.2, 44.7), "283 ± 45");
    EXPECT_EQ(Text(5.6, 9.96), "6 ± 10");
    EXPECT_EQ(Text(-0.0012, 0.0361), "-0.00 ± 0.04");
}

TEST(MeanText, HasNoMoreThanItsSignificantDigits)
{
    EXPECT_EQ(Text(96.5432, 0), "96.5");
    EXPECT_EQ(Text(96.5432, 0, 4), "96.54");
    EXPECT_EQ(Text(1.1, 0), "1.10");
    EXPECT_EQ(Text(12345.6, 0), "12346");
    EXPECT_EQ(Text(0, 0), "0");
    EXPECT_EQ(Text(1.25e-9, 0), "1.25e-09");
}

TEST(MeanText, BoundsAnIntervalThatItsDigitsDoNotShow)
{
    EXPECT_EQ(Text(96.5432, 0.00043), "96.5 ± <0.1");
    EXPECT_EQ(Text(2.1974, 0.0000256, 4), "2.197 ± <0.001");
    EXPECT_EQ(Text(12345.6, 0.2), "12346 ± <1");
}

} // namespace
} // namespace geotrain
