// SPDX-License-Identifier: GPL-2.0-only
// Tests legality, memory caps and the catalogue of the schedules.

#include "schedule/gpipe.h"
#include "schedule/one-forward-one-backward.h"
#include "schedule/schedule-catalogue.h"

#include <gtest/gtest.h>

#include <set>

namespace geotrain
{
namespace
{

using Kind = Operation::Kind;

TEST(ScheduleOrder, GPipeAnd1F1BRunEachMicrobatchForwardThenBackwardOnEachStageUnderTheirCap)
{
    for (const char* name : {"gpipe", "1f1b"})
    {
        const ScheduleEntry& entry = *FindSchedule(name);
        for (std::uint32_t p = 1; p <= 6; ++p)
        {
            for (std::uint32_t m = 1; m <= 13; ++m)
            {
                for (std::uint32_t factor = 1; factor <= 3; ++factor)
                {
                    const ScheduleOrder schedule = entry.make({p, m, factor});
                    ASSERT_EQ(schedule.stages.size(), p);
                    for (std::uint32_t stage = 0; stage < p; ++stage)
                    {
                        std::set<std::uint32_t> forwards;
                        std::set<std::uint32_t> backwards;
                        for (const Operation& operation : schedule.stages[stage])
                        {
                            if (operation.kind == Operation::Kind::Forward)
                            {
                                EXPECT_TRUE(forwards.insert(operation.microbatch).second);
                            }
                            else
                            {
                                EXPECT_EQ(forwards.count(operation.microbatch), 1u);
                                EXPECT_TRUE(backwards.insert(operation.microbatch).second);
                            }
                        }
                        EXPECT_EQ(forwards.size(), m);
                        EXPECT_EQ(backwards, forwards);
                        EXPECT_LE(PeakActivations(schedule.stages[stage]),
                                  schedule.activationCap[stage])
                            << entry.name << " p " << p << " m " << m << " stage " << stage;
                    }
                }
            }
        }
    }
}

TEST(ScheduleOrder, OneForwardOneBackwardHoldsAtMostAsManyActivationsAsStagesAreLeft)
{
    // p - s: Narayanan et al., SC'21, section 2.2.1.
    const ScheduleOrder schedule = OneForwardOneBackward({4, 16, 1});
    EXPECT_EQ(schedule.activationCap, (std::vector<std::uint32_t>{4, 3, 2, 1}));
}

TEST(ScheduleOrder, TwiceTheWarmUpHoldsTwiceTheWarmUpAndOne)
{
    const ScheduleOrder schedule = OneForwardOneBackward({3, 16, 2});
    EXPECT_EQ(schedule.activationCap, (std::vector<std::uint32_t>{5, 3, 1}));
}

TEST(ScheduleOrder, GPipeHoldsEveryMicrobatch)
{
    EXPECT_EQ(PeakActivations(GPipe({3, 16, 1}).stages[0]), 16u);
}

TEST(ScheduleOrder, PeakCountsASplitBackwardUntilItsWeightGradient)
{
    EXPECT_EQ(PeakActivations({{Kind::Forward, 0},
                               {Kind::Backward, 0},
                               {Kind::Forward, 1},
                               {Kind::WeightGradient, 0},
                               {Kind::Backward, 1},
                               {Kind::WeightGradient, 1}}),
              2u);
}

TEST(ScheduleCatalogue, FindsByNameOnly)
{
    ASSERT_NE(FindSchedule("1f1b"), nullptr);
    EXPECT_EQ(FindSchedule("1f1b")->name, "1f1b");
    EXPECT_EQ(FindSchedule("1F1B"), nullptr);
}

} // namespace
} // namespace geotrain
