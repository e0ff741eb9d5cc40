// SPDX-License-Identifier: GPL-2.0-only
#include "analytic/holes.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

TEST(Holes, TheFirstOneDecidesWhatIsInOrder)
{
    Holes holes;
    EXPECT_FALSE(holes.AreBefore(1000000));
    holes.Open(5000, 2000);
    holes.Open(9000, 1000);
    EXPECT_EQ(holes.FirstByte(), 3000);
    EXPECT_FALSE(holes.AreBefore(5000)); // what came of the train itself is in order
    EXPECT_TRUE(holes.AreBefore(6000));
    holes.Fill(5000, 1500);
    EXPECT_TRUE(holes.AreBefore(6000));
    holes.Fill(5000, 500);
    EXPECT_FALSE(holes.AreBefore(6000));
    EXPECT_EQ(holes.FirstByte(), 8000);
}

} // namespace
} // namespace geotrain
