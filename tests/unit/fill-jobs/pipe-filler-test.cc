// SPDX-License-Identifier: GPL-2.0-only
// Runs fill jobs in the Executor: properties over random schedules, jobs and jitter, and the result
// of a run without jitter.

#include "draws.h"
#include "fill-operators.h"
#include "filled-run.h"
#include "schedule/gpipe.h"
#include "schedule/one-forward-one-backward.h"
#include "schedule/schedule-catalogue.h"
#include "units/random-stream.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>

namespace geotrain
{

namespace
{

FillOperator
TimedOperator(double milliseconds, int megabytes)
{
    return {"op",
            Duration::Seconds(milliseconds * 1e-3),
            Bytes::Of(megabytes * mega),
            Flops::Of(milliseconds * 1e9),
            true};
}

std::shared_ptr<const FillProgram>
Program(std::vector<FillOperator> operators)
{
    return std::make_shared<const FillProgram>("test", 1, std::move(operators));
}

FillJob
JobOf(std::uint64_t number, std::uint64_t samples, std::shared_ptr<const FillProgram> program)
{
    FillJob job;
    job.number = number;
    job.model = "test";
    job.samples = samples;
    job.programs = {std::move(program)};
    return job;
}

StageTiming
Times(int forward, int backward)
{
    StageTiming timing;
    timing.forward = Duration::Milliseconds(forward);
    timing.backwardInput = Duration::Milliseconds(backward);
    return timing;
}

/// Makes GPipe with 4 stages and 4 microbatches of 10 + 20 ms: each stage idles (p-1)(F+B) = 90 ms
/// per iteration.
FilledRunInputs
CalmInputs(std::uint32_t iterations)
{
    FilledRunInputs inputs;
    ScheduleRequest request;
    request.stages = 4;
    request.microbatches = 4;
    inputs.streams = OnePipeline(GPipe(request), std::vector<StageTiming>(4, Times(10, 20)));
    inputs.streams.iterations = iterations;
    inputs.memory.capacity = Bytes::Of(16000 * mega);
    inputs.memory.state = Bytes::Of(6000 * mega);
    inputs.memory.perActivation = Bytes::Of(500 * mega);
    inputs.memory.peakActivations = 4;
    inputs.options.policy = FindFillPolicy("shortest-job-first");
    inputs.options.costs.contextSwitch = Duration();
    return inputs;
}

Duration
UsefulTime(const FilledRun& run, WorkerIndex worker)
{
    Duration useful;
    for (const FilledSpan& span : run.fills)
    {
        useful += span.work.worker == worker ? span.yield.useful : Duration();
    }
    return useful;
}

TEST(PipeFiller, FillsTheFillFractionOfEveryBubble)
{
    FilledRunInputs inputs = CalmInputs(11);
    // There is enough for all: one job per stage, in operators of 0.1 ms.
    for (std::uint64_t number = 1; number <= 4; ++number)
    {
        inputs.jobs.push_back(JobOf(number, 1000000, Program({TimedOperator(0.1, 100)})));
    }
    const FilledRun run = RunFilled(inputs);
    // (p-1)(F+B) = 90 ms per stage and iteration, in one or two bubbles; less than an operator of
    // each is lost to rounding. The first of 11 iterations is profiled, and ends when stage 0 does,
    // B later a stage.
    for (WorkerIndex worker = 0; worker < 4; ++worker)
    {
        const double idle = 10 * 0.090 - 0.020 * worker;
        EXPECT_NEAR(UsefulTime(run, worker).ToSeconds(), 0.68 * idle, 10 * 2 * 0.0001);
    }
    EXPECT_EQ(run.held, Duration());
}

TEST(PipeFiller, TheCalmRunKeepsToItsPlan)
{
    FilledRunInputs inputs = CalmInputs(40);
    const auto program =
        Program({TimedOperator(7, 100), TimedOperator(11, 2000), TimedOperator(3, 7900)});
    inputs.jobs = {JobOf(1, 50, program)};
    const FilledRun run = RunFilled(inputs);
    ASSERT_TRUE(run.jobs[0].end);
    for (const FilledSpan& span : run.fills)
    {
        EXPECT_FALSE(span.end.isPreempted);
    }
    // The plan of the worker's cycle, from the bubbles that the run really had: 4 stages, 4 cycles.
    const WorkerIndex worker = *run.jobs[0].worker;
    const Duration period = Duration::Milliseconds(4 * 30 + 3 * 30);
    const Duration mid = Duration::Milliseconds(30 * (3 - worker));
    const Duration drain = Duration::Milliseconds(30 * worker);
    const Bytes beside = inputs.memory.capacity - inputs.memory.state;
    FillGpu gpu;
    gpu.cycle = {{drain, beside}, {mid, beside - inputs.memory.perActivation * 4}};
    gpu.period = period;
    gpu.alwaysFree = AlwaysFree(inputs.memory);
    gpu.costs = inputs.options.costs;
    const FillPlan plan = PlanFill(*program, gpu).value();
    const Duration taken = *run.jobs[0].end - *run.jobs[0].start;
    EXPECT_NEAR(taken.ToSeconds(),
                plan.TimeOf(50, *program).ToSeconds(),
                static_cast<double>(plan.iterations + 1) * period.ToSeconds());
}

TEST(PipeFiller, TrainingDoesNotNotice)
{
    for (const double jitter : {0.0, 0.2})
    {
        FilledRunInputs inputs = CalmInputs(10);
        inputs.jitter = jitter;
        inputs.options.costs.preemption = Preemption::Instant;
        inputs.jobs = {JobOf(1, 100000, Program({TimedOperator(3, 100), TimedOperator(5, 200)})),
                       JobOf(2, 100000, Program({TimedOperator(1, 100)}))};
        const FilledRun run = RunFilled(inputs);
        EXPECT_FALSE(run.fills.empty());
        const SpanRecorder alone = RunSchedule(inputs.streams, inputs.hop, JitteredOptions(inputs));
        ASSERT_EQ(run.training.size(), alone.Spans().size());
        for (std::size_t i = 0; i < run.training.size(); ++i)
        {
            EXPECT_EQ(run.training[i].worker, alone.Spans()[i].worker);
            EXPECT_EQ(run.training[i].start, alone.Spans()[i].start);
            EXPECT_EQ(run.training[i].end, alone.Spans()[i].end);
        }
    }
}

/// Makes a job of operators of 4 ms, which has all of every bubble, with bubbles that end early.
FilledRunInputs
InterruptedInputs(Preemption preemption)
{
    FilledRunInputs inputs = CalmInputs(30);
    inputs.jitter = 0.3;
    inputs.options.costs.fillFraction = 1;
    inputs.options.costs.preemption = preemption;
    FillOperator four = TimedOperator(4, 100);
    four.kernels = 4;
    inputs.jobs = {JobOf(1, 100000, Program({four}))};
    return inputs;
}

TEST(PipeFiller, WhatTrainingInterruptsGoesOnAtItsNextKernel)
{
    const FilledRunInputs inputs = InterruptedInputs(Preemption::Continue);
    const FilledRun run = RunFilled(inputs);
    std::size_t interrupted = 0;
    for (const FilledSpan& span : run.fills)
    {
        interrupted += span.end.isPreempted ? 1 : 0;
        EXPECT_EQ(span.yield.useful, span.end.end - span.end.start); // nothing is lost
    }
    EXPECT_GT(interrupted, 10U);
    EXPECT_GT(run.held, Duration());
    EXPECT_LE(run.longestHold, Duration::Milliseconds(1)); // a kernel
    EXPECT_GT(run.makespan,
              RunSchedule(inputs.streams, inputs.hop, JitteredOptions(inputs)).Makespan());
}

TEST(PipeFiller, RestartBeginsTheOperatorAgain)
{
    const FilledRun run = RunFilled(InterruptedInputs(Preemption::Restart));
    Duration lost;
    for (const FilledSpan& span : run.fills)
    {
        EXPECT_EQ(span.yield.useful.ToNanoseconds() % 4000000, 0); // whole operators
        lost += (span.end.end - span.end.start) - span.yield.useful;
    }
    EXPECT_GT(lost, Duration());
    EXPECT_LE(run.longestHold, Duration::Milliseconds(1));
}

TEST(PipeFiller, AJobThatFitsNoBubbleIsRefusedWithTheReason)
{
    FilledRunInputs inputs = CalmInputs(5);
    inputs.jobs = {JobOf(1, 1, Program({TimedOperator(500, 100)})),
                   JobOf(2, 1, Program({TimedOperator(5, 100)}))};
    const FilledRun run = RunFilled(inputs);
    EXPECT_EQ(run.jobs[0].refused,
              "operator \"op\" of test needs 500 ms and 0.1 GB, and switching 0 ms; what fits is "
              "at most 61.2 ms in "
              "the longest of 1 bubbles, and 8 GB in the roomiest");
    EXPECT_TRUE(run.jobs[1].end);
    EXPECT_TRUE(run.failure.empty());
}

TEST(PipeFiller, ARunInWhichNoJobFitsStops)
{
    FilledRunInputs inputs = CalmInputs(5);
    inputs.jobs = {JobOf(1, 1, Program({TimedOperator(1, 20000)}))};
    const FilledRun run = RunFilled(inputs);
    EXPECT_NE(run.failure.find("needs 1 ms and 20 GB"), std::string::npos) << run.failure;
    EXPECT_NE(run.failure.find("10 GB in the roomiest"), std::string::npos) << run.failure;
}

TEST(PipeFiller, OffloadMakesRoom)
{
    FilledRunInputs inputs = CalmInputs(6);
    inputs.offloadable = Bytes::Of(50 * mega); // 4 ms each way
    inputs.jobs = {JobOf(1, 10, Program({TimedOperator(1, 10040)}))};
    EXPECT_FALSE(RunFilled(inputs).failure.empty());
    inputs.options.costs.offloadsOptimizerState = true;
    inputs.options.costs.pcieRate =
        BitRate::GigabitsPerSecond(10000); // moving the job itself takes 8 ms
    const FilledRun run = RunFilled(inputs);
    EXPECT_TRUE(run.jobs[0].end);
    EXPECT_LE(run.peakMemory.Count(), inputs.memory.capacity.Count());
}

// The GPUs of a worker have the same bubbles: with a job each, each does what a worker's only GPU
// would do.
TEST(PipeFiller, EachGpuOfAWorkerRunsAJobOfItsOwn)
{
    FilledRunInputs one = CalmInputs(10);
    FilledRunInputs three = CalmInputs(10);
    three.gpus = 3;
    const auto program =
        Program({TimedOperator(7, 100), TimedOperator(11, 2000), TimedOperator(3, 7900)});
    for (std::uint64_t number = 1; number <= 12; ++number)
    {
        three.jobs.push_back(JobOf(number, 1000000, program)); // endless
        if (number <= 4)
        {
            one.jobs.push_back(JobOf(number, 1000000, program));
        }
    }
    const auto spansOf = [](const FilledRun& run, WorkerIndex worker, std::uint32_t gpu)
    {
        std::vector<std::pair<Instant, Instant>> spans;
        for (const FilledSpan& span : run.fills)
        {
            if (span.work.worker == worker && span.work.gpu == gpu)
            {
                spans.emplace_back(span.end.start, span.end.end);
            }
        }
        return spans;
    };
    const FilledRun alone = RunFilled(one);
    const FilledRun run = RunFilled(three);
    for (WorkerIndex worker = 0; worker < 4; ++worker)
    {
        const auto expected = spansOf(alone, worker, 0);
        EXPECT_FALSE(expected.empty());
        for (const std::uint32_t gpu : {0U, 1U, 2U})
        {
            EXPECT_EQ(spansOf(run, worker, gpu), expected);
        }
    }
}

// The profile is what the streams' Bubbles say: without them nothing is planned, and no job fits.
TEST(PipeFiller, TheQuoteIsMadeFromTheBubblesOfTheStream)
{
    FilledRunInputs inputs = CalmInputs(10);
    Duration quoted;
    inputs.options.policy = [&quoted](const FillCandidate& candidate)
    {
        quoted = candidate.processing;
        return 0.0;
    };
    inputs.jobs = {JobOf(1, 61, Program({TimedOperator(1, 100)}))};
    RunFilled(inputs);
    // Stage 3, the last class that is asked, idles once for (p-1)(F+B) = 90 ms in a cycle of 4
    // (F+B) + 90 = 210 ms, of which floor(0.68 * 90) = 61 operators of 1 ms are filled.
    EXPECT_EQ(quoted, Duration::Milliseconds(210));
}

TEST(PipeFiller, AUsersOwnPolicyDecidesWhoIsNext)
{
    FilledRunInputs inputs = CalmInputs(30);
    inputs.streams = OnePipeline(GPipe({2, 4}), std::vector<StageTiming>(2, Times(10, 20)));
    inputs.streams.iterations = 30;
    for (std::uint64_t number = 1; number <= 6; ++number)
    {
        inputs.jobs.push_back(JobOf(number, 20, Program({TimedOperator(1, 100)})));
    }
    inputs.options.policy = [](const FillCandidate& candidate)
    { return -static_cast<double>(candidate.job.number); }; // the last one first
    const FilledRun run = RunFilled(inputs);
    // Jobs 1 and 2 find the two workers free; each worker then takes the last one of those that
    // wait.
    std::map<WorkerIndex, std::vector<std::uint64_t>> orders;
    for (const FilledSpan& span : run.fills)
    {
        auto& order = orders[span.work.worker];
        if (order.empty() || order.back() != span.work.job)
        {
            order.push_back(span.work.job);
        }
    }
    EXPECT_EQ(orders[0].size() + orders[1].size(), 6U);
    for (const auto& [worker, order] : orders)
    {
        EXPECT_LE(order.front(), 2U);
        EXPECT_TRUE(std::is_sorted(order.begin() + 1, order.end(), std::greater<>()));
    }
}

TEST(PipeFiller, AJobThatArrivesLaterStartsLater)
{
    FilledRunInputs inputs = CalmInputs(10);
    inputs.jobs = {JobOf(1, 5, Program({TimedOperator(1, 100)}))};
    inputs.jobs[0].arrival = Instant() + Duration::Milliseconds(700);
    const FilledRun run = RunFilled(inputs);
    ASSERT_TRUE(run.jobs[0].start);
    EXPECT_GE(*run.jobs[0].start, inputs.jobs[0].arrival);
    EXPECT_TRUE(run.jobs[0].end);
}

FilledRunInputs
RandomInputs(std::uint64_t seed)
{
    RandomStream stream(seed, "pipe-filler-test", "case");
    FilledRunInputs inputs;
    inputs.seed = seed;
    ScheduleRequest request;
    request.stages = static_cast<std::uint32_t>(Draw(stream, 1, 5));
    request.microbatches = static_cast<std::uint32_t>(Draw(stream, 1, 8));
    const char* const schedules[] = {"1f1b", "gpipe", "varuna"};
    const auto* schedule = FindSchedule(schedules[Draw(stream, 0, 2)]);
    std::vector<StageTiming> timing;
    for (std::uint32_t stage = 0; stage < request.stages; ++stage)
    {
        const int forward = Draw(stream, 5, 20);
        timing.push_back(Times(forward, Draw(stream, 10, 40)));
    }
    inputs.streams = OnePipeline(schedule->make(request), timing);
    inputs.streams.iterations = static_cast<std::uint32_t>(Draw(stream, 2, 8));
    inputs.hop = Duration::Milliseconds(Draw(stream, 0, 30));
    inputs.jitter = 0.3 * stream.Uniform();
    inputs.memory.capacity = Bytes::Of(16000 * mega);
    inputs.memory.state = Bytes::Of(Draw(stream, 1000, 8000) * mega);
    inputs.memory.perActivation = Bytes::Of(Draw(stream, 1, 600) * mega);
    inputs.memory.peakActivations = request.microbatches;
    inputs.gpus = static_cast<std::uint32_t>(Draw(stream, 1, 3));
    inputs.offloadable = Bytes::Of(Draw(stream, 0, 1000) * mega);
    inputs.options.policy =
        stream.Uniform() < 0.5 ? FindFillPolicy("shortest-job-first") : FindFillPolicy("makespan");
    inputs.options.costs.contextSwitch = Duration::Milliseconds(Draw(stream, 0, 3));
    inputs.options.costs.fillFraction = 0.4 + 0.6 * stream.Uniform();
    inputs.options.costs.offloadsOptimizerState = stream.Uniform() < 0.5;
    const Preemption preemptions[] = {
        Preemption::Continue, Preemption::Restart, Preemption::Instant};
    inputs.options.costs.preemption = preemptions[Draw(stream, 0, 2)];
    const int jobs = Draw(stream, 1, 12);
    Instant arrival;
    for (int number = 1; number <= jobs; ++number)
    {
        std::vector<FillOperator> operators;
        for (int left = Draw(stream, 1, 6); left > 0; --left)
        {
            const int milliseconds = Draw(stream, 1, 12);
            operators.push_back(TimedOperator(milliseconds, Draw(stream, 10, 12000)));
            operators.back().kernels = static_cast<std::uint32_t>(Draw(stream, 1, 5));
        }
        const int samples = Draw(stream, 1, 30);
        inputs.jobs.push_back(JobOf(static_cast<std::uint64_t>(number),
                                    static_cast<std::uint64_t>(samples),
                                    Program(std::move(operators))));
        arrival = arrival + Duration::Milliseconds(Draw(stream, 0, 200));
        inputs.jobs.back().arrival = arrival;
    }
    return inputs;
}

/// Expects that no GPU does two things at a time.
void
CheckOneAtATime(const FilledRun& run)
{
    std::map<std::pair<WorkerIndex, std::uint32_t>, std::vector<std::pair<Instant, Instant>>> spans;
    for (const auto& span : run.fills)
    {
        spans[{span.work.worker, span.work.gpu.value()}].emplace_back(span.end.start, span.end.end);
    }
    for (auto& [gpu, all] : spans)
    {
        for (const auto& span : run.training)
        {
            if (span.worker == gpu.first)
            {
                all.emplace_back(span.start, span.end);
            }
        }
    }
    for (auto& [gpu, all] : spans)
    {
        std::sort(all.begin(), all.end());
        for (std::size_t i = 1; i < all.size(); ++i)
        {
            ASSERT_LE(all[i - 1].second, all[i].first);
        }
    }
}

/// Returns the activations that training holds on `worker` at `at`, while it computes nothing
/// there.
std::int64_t
LiveAt(const FilledRun& run, WorkerIndex worker, Instant at)
{
    std::int64_t live = 0;
    for (const auto& span : run.training)
    {
        if (span.worker == worker && span.end <= at)
        {
            live += span.kind == InstructionKind::Forward    ? 1
                    : span.kind == InstructionKind::Backward ? -1
                                                             : 0;
        }
    }
    return live;
}

/// Checks the memory of one GPU, which it computes from what ran there, apart from the planner's
/// own accounts: the state and activations of training by its instructions, and the largest of the
/// operators that a piece has run, found from the job's position and its time. With offload, the
/// optimiser's state may be away. A job that pauses within an operator holds its memory while training
/// is at its peak.
void
CheckMemory(const FilledRunInputs& inputs, const FilledRun& run)
{
    std::map<std::uint64_t, std::size_t> nextOperator; // by job
    std::map<std::uint64_t, double> intoIt;            // seconds, by job
    const FillCosts& costs = inputs.options.costs;
    for (const FilledSpan& span : run.fills)
    {
        const auto& operators = inputs.jobs.at(span.work.job - 1).programs.front()->Operators();
        std::size_t& next = nextOperator[span.work.job];
        double& into = intoIt[span.work.job];
        const Bytes held = operators[(next + operators.size() - 1) % operators.size()].memory;
        const double moved = held <= AlwaysFree(inputs.memory)
                                 ? 0
                                 : 8e0 * static_cast<double>(held.Count()) /
                                       static_cast<double>(costs.pcieRate.ToBitsPerSecond());
        double computes =
            (span.end.end - span.end.start).ToSeconds() - costs.contextSwitch.ToSeconds() - moved;
        computes = costs.offloadsOptimizerState ? span.yield.useful.ToSeconds() : computes;
        Bytes largest;
        double started = -into;
        for (std::size_t at = next; started + 1e-6 < computes; at = (at + 1) % operators.size())
        {
            largest = std::max(largest, operators[at].memory);
            started += operators[at].duration.ToSeconds();
            if (!span.end.isPreempted && started + 1e-6 >= span.yield.useful.ToSeconds())
            {
                break; // the rest is switching out
            }
        }
        const std::int64_t live = LiveAt(run, span.work.worker, span.end.start);
        ASSERT_GE(live, 0);
        const Bytes away = costs.offloadsOptimizerState ? inputs.offloadable : Bytes();
        const Bytes training = inputs.memory.state + inputs.memory.perActivation * live;
        EXPECT_LE((training + largest - away).Count(), inputs.memory.capacity.Count());
        into += span.yield.useful.ToSeconds();
        while (into + 1e-9 >= operators[next].duration.ToSeconds())
        {
            into -= operators[next].duration.ToSeconds();
            next = (next + 1) % operators.size();
        }
        EXPECT_TRUE(into < 1e-6 || operators[next].memory <= AlwaysFree(inputs.memory));
    }
}

/// Expects that every job ends once as done or refused, or that the run ended first. Done means
/// that all of its work was done.
void
CheckJobs(const FilledRun& run)
{
    for (const FillJobRecord& record : run.jobs)
    {
        const FillProgram& program = *record.job.programs.front();
        const double all =
            program.PassWork().Count() * static_cast<double>(PassesOf(program, record.job.samples));
        EXPECT_FALSE(record.end && !record.refused.empty());
        EXPECT_EQ(record.end.has_value(), record.flops > all * (1 - 1e-9));
        EXPECT_LE(record.flops, all * (1 + 1e-9));
        EXPECT_TRUE(record.refused.empty() || record.flops == 0);
        EXPECT_TRUE(!record.start || *record.start >= record.job.arrival);
    }
}

TEST(PipeFiller, PropertiesHoldForRandomSchedulesJobsAndJitter)
{
    std::size_t fills = 0;
    std::size_t done = 0;
    for (std::uint64_t seed = 1; seed <= 200; ++seed)
    {
        SCOPED_TRACE(seed);
        const FilledRunInputs inputs = RandomInputs(seed);
        const FilledRun run = RunFilled(inputs);
        CheckOneAtATime(run);
        CheckMemory(inputs, run);
        CheckJobs(run);
        EXPECT_LE(run.peakMemory.Count(), inputs.memory.capacity.Count());
        fills += run.fills.size();
        for (const FillJobRecord& record : run.jobs)
        {
            done += record.end ? 1 : 0;
        }
        if (inputs.options.costs.preemption == Preemption::Instant &&
            !inputs.options.costs.offloadsOptimizerState)
        {
            EXPECT_EQ(run.held, Duration());
        }
    }
    EXPECT_GT(fills, 1000U);
    EXPECT_GT(done, 100U);
}

} // namespace

} // namespace geotrain
