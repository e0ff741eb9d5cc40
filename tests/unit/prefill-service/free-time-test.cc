// SPDX-License-Identifier: GPL-2.0-only
#include "prefill-service/free-time.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace geotrain
{
namespace
{

Instant
At(std::int64_t nanoseconds)
{
    return Instant::FromNanoseconds(nanoseconds);
}

Duration
Ns(std::int64_t nanoseconds)
{
    return Duration::Nanoseconds(nanoseconds);
}

FreeTime
Bubbles()
{
    FreeTime free;
    free.Set({{At(10), At(20), 0, 0}, {At(30), At(55), 0, 1}, {At(60), At(100), 1, 0}}, Ns(2));
    return free;
}

TEST(FreeTime, WholeUnitsTakeTheGapsAsTheyCome)
{
    std::vector<FillPart> parts;
    // Two units of 4 in 10-20, five in 30-55 need 20, of which 5 units fit.
    EXPECT_EQ(Bubbles().Fit(At(0), {7, Ns(4)}, Instant::Never(), nullptr, &parts), At(30 + 5 * 4));
    ASSERT_EQ(parts.size(), 2u);
    EXPECT_EQ(parts[0].units, 2u);
    EXPECT_EQ(parts[0].limit, At(20));
    EXPECT_EQ(parts[1].start, At(30));
    EXPECT_EQ(parts[1].units, 5u);
}

TEST(FreeTime, NothingStartsBeforeItIsReady)
{
    std::vector<FillPart> parts;
    EXPECT_EQ(Bubbles().Fit(At(35), {2, Ns(4)}, Instant::Never(), nullptr, &parts), At(43));
    parts.clear();
    EXPECT_EQ(Bubbles().Fit(At(53), {1, Ns(4)}, Instant::Never(), nullptr, &parts),
              At(64)); // 2 left: too few
}

TEST(FreeTime, WorkThatIsTooLateOrTooMuchDoesNotFit)
{
    std::vector<FillPart> parts;
    EXPECT_EQ(Bubbles().Fit(At(0), {7, Ns(4)}, At(49), nullptr, &parts), Instant::Never());
    EXPECT_EQ(Bubbles().Fit(At(0), {2, Ns(41)}, Instant::Never(), nullptr, &parts),
              Instant::Never());
}

TEST(FreeTime, WhatIsTakenIsGoneUntilItIsReleased)
{
    FreeTime free = Bubbles();
    free.Take(At(35), At(45));
    EXPECT_THROW(free.Take(At(40), At(42)), std::logic_error);
    std::vector<FillPart> parts;
    EXPECT_EQ(free.Fit(At(30), {1, Ns(12)}, Instant::Never(), nullptr, &parts), At(72));
    free.Release(At(35), At(45));
    EXPECT_EQ(free.Fit(At(30), {1, Ns(25)}, Instant::Never(), nullptr, &parts), At(55));
}

TEST(FreeTime, BubblesThatAreOverStayOver)
{
    FreeTime free = Bubbles();
    free.Take(At(12), At(16));
    EXPECT_FALSE(free.EndBubbles(0, At(20)));
    EXPECT_EQ(free.FirstStart(), At(30));
    free.Release(At(12), At(16));
    EXPECT_EQ(free.FirstStart(), At(30));
    EXPECT_TRUE(
        free.EndBubbles(1, At(50))); // that of the next iteration which ends with 0 is not over
    EXPECT_EQ(free.FirstStart(), At(60));
}

} // namespace
} // namespace geotrain
