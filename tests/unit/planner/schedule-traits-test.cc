// What screening takes a schedule to hold is what its order holds at most.
#include "planner/schedule-traits.h"
#include "schedule/schedule-catalogue.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

TEST(ScheduleTraits, TheMemoryCapIsThatOfTheOrder)
{
    for (const ScheduleTraits& traits : PlannableSchedules())
    {
        for (const std::uint32_t stages : {2u, 4u})
        {
            for (const std::uint32_t microbatches : {4u, 8u, 16u})
            {
                TrainingPlan plan;
                plan.schedule = traits.name;
                plan.pipelineStages = stages;
                plan.microbatches = microbatches;
                plan.virtualStages = traits.virtualStages;
                plan.memoryCap = traits.takesCap ? 4 : 0;
                ScheduleRequest request;
                request.stages = stages;
                request.microbatches = microbatches;
                request.virtualStages = traits.virtualStages;
                if (traits.takesCap)
                {
                    request.memoryCap = plan.memoryCap;
                }
                const auto make = [&] { return MakeSchedule(*FindSchedule(traits.name), request); };
                if (!ShapeRefusal(plan).empty())
                {
                    EXPECT_THROW(make(), std::invalid_argument) << traits.name;
                    continue;
                }
                const auto caps = make().activationCap;
                const auto planned = InFlightOf(plan);
                for (std::uint32_t worker = 0; worker < stages; ++worker)
                {
                    // cross-dc may fall back on an order that holds less than it may.
                    EXPECT_LE(caps[worker], planned[worker]) << traits.name;
                    EXPECT_TRUE(traits.takesCap || caps[worker] == planned[worker]) << traits.name;
                }
            }
        }
    }
}

} // namespace
} // namespace geotrain
