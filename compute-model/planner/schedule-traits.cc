#include "planner/schedule-traits.h"

#include <algorithm>

namespace geotrain
{

namespace
{

std::uint32_t
AllMicrobatches(std::uint32_t, std::uint32_t, std::uint32_t microbatches, std::uint32_t)
{
    return microbatches;
}

/// 1F1B: f (p - 1 - s) + 1 (schedule/one-forward-one-backward.h).
std::uint32_t
WarmUpAndOne(std::uint32_t stage,
             std::uint32_t stages,
             std::uint32_t microbatches,
             std::uint32_t warmupFactor)
{
    const std::uint64_t depth = std::uint64_t{warmupFactor} * (stages - 1 - stage) + 1;
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(depth, microbatches));
}

} // namespace

const std::vector<ScheduleTraits>&
PlannableSchedules()
{
    static const std::vector<ScheduleTraits> schedules = {
        {"gpipe", false, false, true, &AllMicrobatches},
        {"1f1b", true, false, false, &WarmUpAndOne},
    };
    return schedules;
}

const ScheduleTraits*
FindPlannableSchedule(const std::string& name)
{
    const auto& all = PlannableSchedules();
    const auto found =
        std::find_if(all.begin(),
                     all.end(),
                     [&name](const ScheduleTraits& traits) { return traits.name == name; });
    return found == all.end() ? nullptr : &*found;
}

} // namespace geotrain
