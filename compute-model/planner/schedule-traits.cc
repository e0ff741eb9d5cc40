#include "planner/schedule-traits.h"

#include <algorithm>

namespace geotrain
{

namespace
{

std::uint32_t
AtMost(std::uint64_t depth, std::uint64_t most)
{
    return static_cast<std::uint32_t>(std::min(depth, most));
}

std::uint32_t
AllMicrobatches(std::uint32_t, const TrainingPlan& plan)
{
    return plan.microbatches;
}

/// 1F1B: f (p - 1 - s) + 1 (schedule/one-forward-one-backward.h).
std::uint32_t
WarmUpAndOne(std::uint32_t worker, const TrainingPlan& plan)
{
    const std::uint64_t left = plan.pipelineStages - 1 - worker;
    return AtMost(plan.warmupFactor * left + 1, plan.microbatches);
}

/// schedule/pipemare.h
std::uint32_t
TwiceWarmUpAndOne(std::uint32_t worker, const TrainingPlan& plan)
{
    return 2 * (plan.pipelineStages - 1 - worker) + 1;
}

/// schedule/interleaved.h
std::uint32_t
InterleavedWarmUp(std::uint32_t worker, const TrainingPlan& plan)
{
    const std::uint64_t p = plan.pipelineStages;
    const std::uint64_t total = std::uint64_t{plan.microbatches} * plan.virtualStages;
    const std::uint64_t depth = 2 * (p - 1 - worker) + (plan.virtualStages - 1) * p;
    return AtMost(plan.microbatches == p ? total : depth + 1, total);
}

std::uint32_t
OneAWorker(std::uint32_t, const TrainingPlan& plan)
{
    return AtMost(plan.pipelineStages, plan.microbatches);
}

std::uint32_t
ExactlyOneAWorker(std::uint32_t, const TrainingPlan& plan)
{
    return plan.pipelineStages;
}

std::uint32_t
ExactlyTwoAWorker(std::uint32_t, const TrainingPlan& plan)
{
    return 2 * plan.pipelineStages;
}

std::uint32_t
TwoAWorkerLessOne(std::uint32_t, const TrainingPlan& plan)
{
    return AtMost(2 * std::uint64_t{plan.pipelineStages} - 1, plan.microbatches);
}

std::uint32_t
TwoAWorkerAndOne(std::uint32_t, const TrainingPlan& plan)
{
    return 2 * plan.pipelineStages + 1;
}

std::uint32_t
AsThePlanSays(std::uint32_t, const TrainingPlan& plan)
{
    return std::max<std::uint32_t>(1, plan.memoryCap);
}

ScheduleTraits
Named(const char* name, std::uint32_t (*inFlight)(std::uint32_t, const TrainingPlan&))
{
    ScheduleTraits traits;
    traits.name = name;
    traits.inFlight = inFlight;
    return traits;
}

std::vector<ScheduleTraits>
WholeBackwards()
{
    ScheduleTraits gpipe = Named("gpipe", &AllMicrobatches);
    gpipe.hasPhases = true;
    ScheduleTraits oneForward = Named("1f1b", &WarmUpAndOne);
    oneForward.deepensWarmUp = true;
    ScheduleTraits interleaved = Named("interleaved", &InterleavedWarmUp);
    interleaved.virtualStages = 2;
    ScheduleTraits varuna = Named("varuna", &OneAWorker);
    varuna.recomputesAhead = true;
    ScheduleTraits atlas = Named("atlas", &AsThePlanSays);
    atlas.recomputesAhead = true;
    atlas.takesCap = true;
    ScheduleTraits twoVersions = Named("pipedream-2bw", &WarmUpAndOne);
    twoVersions.isAsynchronous = true;
    twoVersions.extraWeightCopies = 1;
    ScheduleTraits pipeMare = Named("pipemare", &TwiceWarmUpAndOne);
    pipeMare.isAsynchronous = true;
    return {gpipe, oneForward, interleaved, varuna, atlas, twoVersions, pipeMare};
}

std::vector<ScheduleTraits>
SplitBackwards()
{
    ScheduleTraits zbV = Named("zb-v", &ExactlyTwoAWorker);
    ScheduleTraits dualPipe = Named("dualpipe-v", &TwoAWorkerAndOne);
    for (auto* wave : {&zbV, &dualPipe})
    {
        wave->virtualStages = 2;
        wave->isWave = true;
    }
    ScheduleTraits crossDc = Named("cross-dc", &AsThePlanSays);
    crossDc.takesCap = true;
    std::vector<ScheduleTraits> all = {Named("zb-h1", &OneAWorker),
                                       Named("zb-h2", &TwoAWorkerLessOne),
                                       Named("zb-1p", &ExactlyOneAWorker),
                                       Named("zb-2p", &ExactlyTwoAWorker),
                                       zbV,
                                       dualPipe,
                                       crossDc};
    for (auto& traits : all)
    {
        traits.splitsBackward = true;
    }
    return all;
}

} // namespace

const std::vector<ScheduleTraits>&
PlannableSchedules()
{
    static const std::vector<ScheduleTraits> schedules = []
    {
        auto all = WholeBackwards();
        const auto split = SplitBackwards();
        all.insert(all.end(), split.begin(), split.end());
        return all;
    }();
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

std::string
ShapeRefusal(const TrainingPlan& plan)
{
    const std::uint32_t p = plan.pipelineStages;
    const std::uint32_t m = plan.microbatches;
    if (plan.schedule == "interleaved" && plan.virtualStages > 1 && m % p != 0)
    {
        return "interleaved needs microbatches that the pipeline stages divide";
    }
    if (plan.schedule == "dualpipe-v" && m < 2 * p)
    {
        return "dualpipe-v needs at least two microbatches a pipeline stage";
    }
    if (plan.schedule == "pipedream-2bw" && m < p)
    {
        return "pipedream-2bw needs at least a microbatch a pipeline stage";
    }
    return "";
}

std::vector<std::uint32_t>
InFlightOf(const TrainingPlan& plan)
{
    const ScheduleTraits& schedule = *FindPlannableSchedule(plan.schedule);
    std::vector<std::uint32_t> inFlight;
    for (std::uint32_t worker = 0; worker < plan.pipelineStages; ++worker)
    {
        inFlight.push_back(schedule.inFlight(worker, plan));
    }
    return inFlight;
}

std::vector<std::uint32_t>
WorkersOfStages(const TrainingPlan& plan)
{
    const std::uint32_t p = plan.pipelineStages;
    const ScheduleTraits* schedule = FindPlannableSchedule(plan.schedule);
    std::vector<std::uint32_t> workers;
    for (std::uint32_t stage = 0; stage < p * plan.virtualStages; ++stage)
    {
        const bool goesUp = schedule != nullptr && schedule->isWave && stage >= p;
        workers.push_back(goesUp ? 2 * p - 1 - stage : stage % p);
    }
    return workers;
}

} // namespace geotrain
