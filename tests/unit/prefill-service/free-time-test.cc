// SPDX-License-Identifier: GPL-2.0-only
#include "instants.h"
#include "prefill-service/free-time.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace geotrain
{
namespace
{

Duration
Ns(std::int64_t nanoseconds)
{
    return Duration::Nanoseconds(nanoseconds);
}

FreeTime
Bubbles()
{
    FreeTime free;
    free.Set({{AtNs(10), AtNs(20), 0, 0}, {AtNs(30), AtNs(55), 0, 1}, {AtNs(60), AtNs(100), 1, 0}},
             Ns(2));
    return free;
}

TEST(FreeTime, WholeUnitsTakeTheGapsAsTheyCome)
{
    std::vector<FillPart> parts;
    // Two units of 4 in 10-20, five in 30-55 need 20, of which 5 units fit.
    EXPECT_EQ(Bubbles().Fit(AtNs(0), {7, Ns(4)}, Instant::Never(), &parts), AtNs(30 + 5 * 4));
    ASSERT_EQ(parts.size(), 2u);
    EXPECT_EQ(parts[0].units, 2u);
    EXPECT_EQ(parts[0].limit, AtNs(20));
    EXPECT_EQ(parts[1].start, AtNs(30));
    EXPECT_EQ(parts[1].units, 5u);
}

TEST(FreeTime, NothingStartsBeforeItIsReady)
{
    std::vector<FillPart> parts;
    EXPECT_EQ(Bubbles().Fit(AtNs(35), {2, Ns(4)}, Instant::Never(), &parts), AtNs(43));
    parts.clear();
    EXPECT_EQ(Bubbles().Fit(AtNs(53), {1, Ns(4)}, Instant::Never(), &parts),
              AtNs(64)); // 2 left: too few
}

TEST(FreeTime, WorkThatIsTooLateOrTooMuchDoesNotFit)
{
    std::vector<FillPart> parts;
    EXPECT_EQ(Bubbles().Fit(AtNs(0), {7, Ns(4)}, AtNs(49), &parts), Instant::Never());
    EXPECT_EQ(Bubbles().Fit(AtNs(0), {2, Ns(41)}, Instant::Never(), &parts), Instant::Never());
}

TEST(FreeTime, WhatIsTakenIsGoneUntilItIsReleased)
{
    FreeTime free = Bubbles();
    free.Take(AtNs(35), AtNs(45));
    EXPECT_THROW(free.Take(AtNs(40), AtNs(42)), std::logic_error);
    std::vector<FillPart> parts;
    EXPECT_EQ(free.Fit(AtNs(30), {1, Ns(12)}, Instant::Never(), &parts), AtNs(72));
    free.Release(AtNs(35), AtNs(45));
    EXPECT_EQ(free.Fit(AtNs(30), {1, Ns(25)}, Instant::Never(), &parts), AtNs(55));
}

TEST(FreeTime, BubblesThatAreOverStayOver)
{
    FreeTime free = Bubbles();
    free.Take(AtNs(12), AtNs(16));
    free.EndBubbles(0);
    EXPECT_EQ(free.FirstStart(), AtNs(30));
    free.Release(AtNs(12), AtNs(16));
    EXPECT_EQ(free.FirstStart(), AtNs(30));
    free.EndBubbles(1); // that of the next iteration which ends with 0 is not over
    EXPECT_EQ(free.FirstStart(), AtNs(60));
}

} // namespace
} // namespace geotrain
