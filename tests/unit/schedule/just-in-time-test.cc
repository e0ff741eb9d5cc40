// SPDX-License-Identifier: GPL-2.0-only
// Tests Varuna's and Atlas's rules, planned and at run time.

#include "order-runs.h"

#include "schedule/atlas.h"
#include "schedule/order-simulation.h"
#include "schedule/varuna.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

using Kind = Operation::Kind;

ScheduleRequest
VarunaRequest(std::uint32_t p, std::uint32_t m, std::uint32_t cap, Duration hop)
{
    StageTiming timing;
    timing.forward = timing.recompute = Duration::Milliseconds(10);
    timing.backwardInput = Duration::Milliseconds(20);
    ScheduleRequest request;
    request.stages = p;
    request.microbatches = m;
    request.memoryCap = cap;
    request.times.stages = {timing};
    request.times.hops = {{hop, {}}};
    return request;
}

TEST(Varuna, NoForwardComesBetweenARecomputationAndItsBackwardAndTheLastStageHasNone)
{
    const ScheduleOrder order = Varuna(VarunaRequest(4, 16, 6, Duration::Milliseconds(15)));
    for (std::size_t worker = 0; worker < 4; ++worker)
    {
        const StageOrder& stage = order.stages[worker];
        std::uint32_t recomputations = 0;
        for (std::size_t index = 0; index < stage.size(); ++index)
        {
            if (stage[index].kind == Kind::Recompute)
            {
                ++recomputations;
                EXPECT_EQ(stage.at(index + 1),
                          (Operation{Kind::Backward, stage[index].microbatch}));
            }
        }
        EXPECT_EQ(recomputations, worker == 3 ? 0u : 16u);
    }
}

TEST(Varuna, ARecomputationEndsWhenItsGradientComes)
{
    const ScheduleRequest request = VarunaRequest(2, 4, 4, Duration::Milliseconds(100));
    const auto spans = RunOrder(Varuna(request), request.times).Spans();
    // The first gradient: forward 10, hop 100, forward 10, backward 20, hop 100 = 240 ms. Nothing
    // else is to be done from 40 ms on, so that the recomputation, next in the stream, runs at
    // once; the backward starts with it.
    for (const auto& span : spans)
    {
        if (span.worker == 0 && span.kind == InstructionKind::Backward && span.microbatch == 0)
        {
            EXPECT_EQ(span.start, Instant() + Duration::Milliseconds(240));
        }
    }
}

/// Returns the kinds and microbatches of what worker 0 ran, in order, over hops of `hop`. The
/// optimiser's step is left out.
std::vector<std::pair<InstructionKind, std::uint32_t>>
RunOfWorkerZero(const ScheduleOrder& order, const ScheduleRequest& request, Duration hop)
{
    std::vector<std::pair<InstructionKind, std::uint32_t>> ran;
    const SpanRecorder recorder = RunSchedule(InputsOf(order, request.times), hop);
    for (const auto& span : recorder.Spans())
    {
        if (span.worker == 0 && span.kind != InstructionKind::OptimizerStep)
        {
            ran.emplace_back(span.kind, span.microbatch);
        }
    }
    return ran;
}

TEST(Varuna, AWorkerWhoseGradientIsLateRunsTheNextForwardUnderItsCap)
{
    // Planned without hops, worker 0 runs forwards and backwards in turn; over hops of 60 ms its gradients are late.
    const ScheduleRequest request = VarunaRequest(2, 8, 4, {});
    const ScheduleOrder order = Varuna(request);
    const auto planned = RunOfWorkerZero(order, request, {});
    const auto late = RunOfWorkerZero(order, request, Duration::Milliseconds(60));
    EXPECT_NE(planned, late);
    std::uint32_t held = 0;
    std::uint32_t peak = 0;
    for (const auto& [kind, microbatch] : late)
    {
        held += kind == InstructionKind::Forward ? 1 : 0;
        peak = std::max(peak, held);
        held -= kind == InstructionKind::Backward ? 1 : 0;
    }
    EXPECT_EQ(peak, 4u);
    ScheduleOrder rigid = order;
    rigid.deviates = false;
    const Duration hop = Duration::Milliseconds(60);
    EXPECT_LT(RunSchedule(InputsOf(order, request.times), hop).Makespan(),
              RunSchedule(InputsOf(rigid, request.times), hop).Makespan());
}

TEST(Varuna, TheRunFollowsThePlanWhereNothingIsLate)
{
    const ScheduleRequest request = VarunaRequest(4, 16, 6, Duration::Milliseconds(15));
    const ScheduleOrder order = Varuna(request);
    std::vector<std::pair<InstructionKind, std::uint32_t>> planned;
    for (const Operation& operation : order.stages[0])
    {
        planned.emplace_back(operation.kind == Kind::Forward    ? InstructionKind::Forward
                             : operation.kind == Kind::Backward ? InstructionKind::Backward
                                                                : InstructionKind::Recompute,
                             operation.microbatch);
    }
    EXPECT_EQ(RunOfWorkerZero(order, request, Duration::Milliseconds(15)), planned);
}

TEST(Atlas, TurnsLeaveNoGapsBetweenMicrobatchesWhereTheyFitAStagesWork)
{
    // C = 4 turns of 2 ms take less than a forward of 10 ms: from its first forward on, every pipeline's second stage
    // runs its warm-up forwards without a pause.
    ScheduleRequest request = VarunaRequest(2, 8, 8, {});
    request.cellSize = 4;
    request.times.hops = {{Duration::Milliseconds(20), Duration::Milliseconds(2), true}};
    const ScheduleOrder order = Atlas(request);
    ASSERT_EQ(order.ofPipeline.size(), 4u);
    for (const auto& pipeline : order.ofPipeline)
    {
        ScheduleOrder one = order;
        one.stages = pipeline;
        EXPECT_NO_THROW(SimulateOrder(one, 8, request.times));
    }
}

TEST(Atlas, WarmsUpAsDeepAsTheWayIsLongWhereMemoryAllows)
{
    // F + B = 30 ms in the last of two stages, 40 ms with recomputation in the first; a hop of 105 ms:
    // 1 + ceil((30 + 210) / 40) = 7 microbatches cover the way.
    ScheduleRequest request = VarunaRequest(2, 16, 0, Duration::Milliseconds(105));
    request.memoryCap.reset();
    EXPECT_EQ(Atlas(request).activationCap[0], 7u);
    request.memoryCap = 3;
    EXPECT_EQ(Atlas(request).activationCap[0], 3u);
}

TEST(Atlas, IsFasterThanVarunaOverAWideArea)
{
    ScheduleRequest request = VarunaRequest(3, 24, 0, Duration::Milliseconds(80));
    request.memoryCap.reset();
    const Duration hop = Duration::Milliseconds(80);
    EXPECT_LT(RunSchedule(InputsOf(Atlas(request), request.times), hop).Makespan(),
              RunSchedule(InputsOf(Varuna(request), request.times), hop).Makespan());
}

} // namespace
} // namespace geotrain
