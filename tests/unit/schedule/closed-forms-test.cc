// SPDX-License-Identifier: GPL-2.0-only
// Checks orders that the Executor ran against closed forms. F, B and W are a microbatch's times in
// all stages of a worker, p the workers, m the microbatches, v the virtual stages per worker.

#include "order-runs.h"

#include "schedule/dualpipe-v.h"
#include "schedule/interleaved.h"
#include "schedule/zb-h1.h"
#include "schedule/zb-h2.h"
#include "schedule/zb-v.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

const Duration timeUnit = Duration::Milliseconds(12);

ScheduleRequest
Request(std::uint32_t p, std::uint32_t m, std::uint32_t v, const ScheduleTimes& times)
{
    ScheduleRequest request;
    request.stages = p;
    request.microbatches = m;
    request.virtualStages = v;
    request.times = times;
    return request;
}

TEST(ClosedForms, InterleavingDividesTheBubbleByTheVirtualStages)
{
    // (m + (p-1)/v)(F + B): Narayanan et al., SC'21, section 2.2.2. A virtual stage takes F/v and
    // B/v.
    for (const std::uint32_t p : {2u, 4u})
    {
        for (const std::uint32_t v : {2u, 3u, 4u})
        {
            for (const std::uint32_t m : {p, 2 * p, 4 * p})
            {
                const auto times = UniformTimes(timeUnit, timeUnit * 2, {}, {});
                const auto run = RunOrder(Interleaved(Request(p, m, v, times)), times);
                EXPECT_EQ(run.Makespan(), timeUnit * 3 * (m * v + p - 1))
                    << p << " " << m << " " << v;
            }
        }
    }
}

TEST(ClosedForms, H1HasAThirdOfTheBubbleOf1F1B)
{
    // Bubble (p-1)(F + B - W): Qi et al., table 2; every worker's span is m (F + B + W) plus it for m >= 2p - 1.
    const auto times = UniformTimes(timeUnit, timeUnit * 2, timeUnit, {});
    for (const std::uint32_t p : {2u, 4u, 8u})
    {
        const std::uint32_t m = 3 * p;
        const auto run = RunOrder(ZbH1(Request(p, m, 1, times)), times);
        EXPECT_EQ(LongestSpan(run), timeUnit * 4 * m + timeUnit * 2 * (p - 1)) << p;
    }
}

TEST(ClosedForms, H2HasNoBubbleWhereTheThreeTimesAreEqual)
{
    // Bubble (p-1)(F + B - 2W): Qi et al., table 2.
    const auto times = UniformTimes(timeUnit, timeUnit, timeUnit, {});
    for (const std::uint32_t p : {2u, 4u, 8u})
    {
        const auto run = RunOrder(ZbH2(Request(p, 3 * p, 1, times)), times);
        EXPECT_EQ(LongestSpan(run), timeUnit * 3 * 3 * p) << p;
    }
}

TEST(ClosedForms, TheWaveHasNoBubbleWhereTheThreeTimesAreEqual)
{
    // Span 2 m (F + B + W) of half a worker's layers: Qi et al., arXiv 2401.10241, section 6.
    const auto times = UniformTimes(timeUnit, timeUnit, timeUnit, {});
    for (const std::uint32_t p : {2u, 4u, 8u})
    {
        const auto run = RunOrder(ZbV(Request(p, 2 * p, 2, times)), times);
        EXPECT_EQ(LongestSpan(run), timeUnit * 3 * 2 * 2 * p) << p;
    }
}

TEST(ClosedForms, AnOverlappedBlockTakesWhatIsGivenInsteadOfItsSum)
{
    const auto times = UniformTimes(timeUnit, timeUnit, timeUnit, {});
    const std::uint32_t p = 4;
    StreamInputs inputs = InputsOf(DualPipeV(Request(p, 32, 2, times)), times);
    const Duration apart = RunSchedule(inputs, {}).Makespan();
    inputs.overlappedBlock = timeUnit * 3;
    EXPECT_EQ(RunSchedule(inputs, {}).Makespan(), apart);
    inputs.overlappedBlock = timeUnit * 2;
    // The steady state of the first worker has 2 (m - 2p + 1) blocks.
    EXPECT_LE(RunSchedule(inputs, {}).Makespan(), apart - timeUnit * 2 * (32 - 2 * p + 1));
}

TEST(Buckets, EveryScheduleReducesEachOfItsStagesInBuckets)
{
    // Each worker of each replica joins B collectives for each virtual stage that it hosts.
    const auto times = UniformTimes(timeUnit, timeUnit, timeUnit, {});
    for (const auto& order : {Interleaved(Request(2, 6, 2, times)),
                              ZbH1(Request(2, 6, 1, times)),
                              DualPipeV(Request(2, 6, 2, times))})
    {
        StreamInputs inputs = InputsOf(order, times);
        inputs.placement = OneNodeEach(2, 2);
        inputs.gradients.assign(inputs.timing.size(), Bytes::Of(1000));
        inputs.allReduceBuckets = 5;
        for (const auto& worker : BuildStreams(inputs).workers)
        {
            const auto joins =
                std::count_if(worker.stream.begin(),
                              worker.stream.end(),
                              [](const Instruction& instruction)
                              { return instruction.kind == InstructionKind::AllReduce; });
            EXPECT_EQ(joins, 5 * static_cast<int>(inputs.timing.size()) / 2) << worker.name;
        }
    }
}

TEST(Buckets, ABucketInBytesSplitsEachStageByItsOwnGradients)
{
    // ceil(1000 / 300) = 4 and ceil(250 / 300) = 1 buckets, of equal bytes: 250 each.
    const auto times = UniformTimes(timeUnit, timeUnit, timeUnit, {});
    StreamInputs inputs = InputsOf(ZbH1(Request(2, 6, 1, times)), times);
    inputs.placement = OneNodeEach(2, 2);
    inputs.gradients = {Bytes::Of(1000), Bytes::Of(250)};
    inputs.gradientBucket = Bytes::Of(300);
    for (const auto& worker : BuildStreams(inputs).workers)
    {
        std::vector<std::int64_t> bytes;
        std::uint32_t stage = 0;
        for (const auto& instruction : worker.stream)
        {
            stage = instruction.stage;
            if (instruction.kind == InstructionKind::AllReduce)
            {
                bytes.push_back(instruction.size.Count());
            }
        }
        EXPECT_EQ(bytes, std::vector<std::int64_t>(stage == 0 ? 4 : 1, 250)) << worker.name;
    }
}

} // namespace
} // namespace geotrain
