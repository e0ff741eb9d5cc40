// SPDX-License-Identifier: GPL-2.0-only
// The slots of a switch add each packet once, keep the shadow copy, and add nothing that is old.
#include "in-network/aggregation-slots.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

using Verdict = AggregationSlots::Verdict;

constexpr AggregationSlots::Lanes one{1, 10, 100, 1000};
constexpr AggregationSlots::Lanes two{2, 20, 200, 2000};
constexpr AggregationSlots::Lanes three{3, 30, 300, 3000};

TEST(AggregationSlotsTest, LastChildCompletesTheSum)
{
    AggregationSlots slots(4, 3);
    EXPECT_EQ(slots.Add(2, 0, two), Verdict::Waiting);
    EXPECT_EQ(slots.Add(0, 0, one), Verdict::Waiting);
    EXPECT_EQ(slots.Waiting(), 1);
    EXPECT_EQ(slots.Add(1, 0, three), Verdict::Complete);
    EXPECT_EQ(slots.Waiting(), 0);
    EXPECT_EQ(slots.Result(0), (AggregationSlots::Lanes{6, 60, 600, 6000}));
}

TEST(AggregationSlotsTest, DuplicateIsNotAddedWhileOthersAreMissing)
{
    AggregationSlots slots(4, 2);
    slots.Add(0, 0, one);
    EXPECT_EQ(slots.Add(0, 0, one), Verdict::Duplicate);
    slots.Add(1, 0, two);
    EXPECT_EQ(slots.Result(0), three);
}

TEST(AggregationSlotsTest, DuplicateOfACompleteSlotIsAnswered)
{
    AggregationSlots slots(4, 2);
    slots.Add(0, 0, one);
    slots.Add(1, 0, two);
    EXPECT_EQ(slots.Add(0, 0, one), Verdict::Answered);
    EXPECT_EQ(slots.Result(0), three);
}

TEST(AggregationSlotsTest, ShadowCopyAnswersWhileTheOtherVersionFills)
{
    AggregationSlots slots(4, 2);
    slots.Add(0, 1, one);
    slots.Add(1, 1, two);
    EXPECT_EQ(slots.Add(0, 5, two), Verdict::Waiting); // slot 1 again, in the other version
    EXPECT_EQ(slots.Add(1, 1, two), Verdict::Answered);
    EXPECT_EQ(slots.Result(1), three);
}

TEST(AggregationSlotsTest, PacketOfTwoRoundsAgoIsStale)
{
    AggregationSlots slots(4, 2);
    for (const std::int64_t sequence : {1, 5, 9}) // slot 1 in three rounds
    {
        slots.Add(0, sequence, one);
        slots.Add(1, sequence, two);
    }
    EXPECT_EQ(slots.Add(0, 1, two), Verdict::Stale);
    EXPECT_EQ(slots.Result(9), three);
}

TEST(AggregationSlotsTest, SumsWrapAsTheIntegersOfTheSwitch)
{
    AggregationSlots slots(1, 2);
    slots.Add(0, 0, {INT32_MAX, 0, 0, 0});
    slots.Add(1, 0, {1, 0, 0, 0});
    EXPECT_EQ(slots.Result(0)[0], INT32_MIN);
}

TEST(AggregationSlotsTest, SenderThatOverrunsAnIncompleteSlotIsFoundOut)
{
    AggregationSlots slots(4, 2);
    slots.Add(0, 1, one);
    EXPECT_EQ(slots.Add(0, 9, one), Verdict::Overrun);
}

} // namespace
} // namespace geotrain
