// SPDX-License-Identifier: GPL-2.0-only
// Tests what every schedule of the catalogue must fulfil. A new schedule needs one row of `rows`:
// its span, the memory that it declares and that its order needs, and the shapes that it refuses.
// Legality, its cap and the traits of its row are then checked against its order, and its simulated
// times against the Executor's, over random shapes and times.

#include "order-runs.h"

#include "draws.h"
#include "schedule/order-simulation.h"
#include "schedule/schedule-catalogue.h"
#include "units/random-stream.h"

#include <gtest/gtest.h>

#include <functional>

namespace geotrain
{
namespace
{

using Kind = Operation::Kind;
using Workers = std::vector<std::uint32_t>;

/// p of the rows' pipeline, and m.
constexpr std::uint32_t stageCount = 4;
constexpr std::uint32_t batchCount = 12;

struct Refused
{
    std::uint32_t stages;
    std::uint32_t microbatches;
    std::uint32_t virtualStages;
    const char* reason;
};

/// A row describes p workers and m microbatches where F = B = W = 1 ms in each virtual stage,
/// without hops.
struct Row
{
    const char* name;
    std::uint32_t span; ///< ms, the longest worker's; by formula
    Workers most;       ///< activations that the catalogue says a worker holds at most
    Workers peak;       ///< that the order holds
    std::vector<Refused> refused;
};

const std::vector<Row> rows = {
    // (m + p - 1)(F + B + W)
    {"gpipe",
     3 * (batchCount + stageCount - 1),
     {batchCount, batchCount, batchCount, batchCount},
     {batchCount, batchCount, batchCount, batchCount},
     {}},
    {"1f1b", 3 * (batchCount + stageCount - 1), {4, 3, 2, 1}, {4, 3, 2, 1}, {}},
    // (v m + p - 1)(F + B + W), and 2(p-1-w) + (v-1)p + 1
    {"interleaved",
     3 * (2 * batchCount + stageCount - 1),
     {11, 9, 7, 5},
     {11, 9, 7, 5},
     {{4, 6, 2, "interleaved needs microbatches that the pipeline stages divide"}}},
    // Forwards run up to the cap; the last stage's gradient is there at once.
    {"varuna", 3 * (batchCount + stageCount - 1), {4, 4, 4, 4}, {4, 4, 4, 1}, {}},
    // Memory for all of them, and no way to cover.
    {"atlas",
     3 * (batchCount + stageCount - 1),
     {batchCount, batchCount, batchCount, batchCount},
     {4, 3, 2, 1},
     {}},
    {"pipedream-2bw",
     3 * (batchCount + stageCount - 1),
     {4, 3, 2, 1},
     {4, 3, 2, 1},
     {{4, 3, 1, "pipedream-2bw needs at least one microbatch per pipeline stage"}}},
    // 2(p-1-s) + 1
    {"pipemare", 3 * (batchCount + stageCount - 1), {7, 5, 3, 1}, {7, 5, 3, 1}, {}},
    // m (F + B + W) + (p - 1)(F + B - W)
    {"zb-h1",
     3 * batchCount + stageCount - 1,
     {4, 4, 4, 4},
     {4, 4, 4, 4},
     {{4, 6, 2, "zb-h1 needs microbatches that the pipeline stages divide"}}},
    // m (F + B + W) + (p - 1)(F + B - 2 W)
    {"zb-h2", 3 * batchCount, {7, 7, 7, 7}, {7, 7, 7, 7}, {}},
    {"zb-1p",
     3 * batchCount + stageCount - 1,
     {4, 4, 4, 4},
     {4, 4, 4, 4},
     {{4, 6, 2, "zb-1p needs microbatches that the pipeline stages divide"}}},
    // Halves are given back at the input gradient.
    {"zb-2p",
     3 * batchCount,
     {8, 8, 8, 8},
     {7, 6, 5, 4},
     {{4, 6, 2, "zb-2p needs microbatches that the pipeline stages divide"}}},
    // 2 m (F + B + W)
    {"zb-v",
     3 * 2 * batchCount,
     {8, 8, 8, 8},
     {8, 8, 8, 8},
     {{4, 8, 3, "zb-v has 2 virtual stages per worker, not 3"}}},
    // 2 m (F + B + W) + (p - 1)(block + (B + W) - 3 W) with blocks of F + B + W: DeepSeek-V3, table 2
    {"dualpipe-v",
     3 * 2 * batchCount + 2 * (stageCount - 1),
     {9, 9, 9, 9},
     {9, 9, 9, 9},
     {{4, 7, 2, "dualpipe-v needs at least two microbatches per pipeline stage"}}},
    // The shortest makespan: the last worker's work, p - 1 forwards later. ZB-H1 has it too, the fall-back.
    {"cross-dc", 3 * batchCount + stageCount - 1, {8, 8, 8, 8}, {4, 4, 4, 4}, {}},
};

ScheduleRequest
RequestOf(const ScheduleEntry& entry)
{
    ScheduleRequest request;
    request.stages = stageCount;
    request.microbatches = batchCount;
    request.virtualStages = entry.plannedVirtualStages;
    return request;
}

Workers
PeaksOf(const ScheduleOrder& order)
{
    Workers peaks;
    for (const StageOrder& stage : order.stages)
    {
        peaks.push_back(PeakActivations(stage, order.held));
    }
    return peaks;
}

bool
HasOperation(const ScheduleOrder& order, const std::function<bool(const Operation&)>& is)
{
    return std::any_of(order.stages.begin(),
                       order.stages.end(),
                       [&is](const StageOrder& stage)
                       { return std::any_of(stage.begin(), stage.end(), is); });
}

bool
HasKind(const ScheduleOrder& order, Kind kind)
{
    return HasOperation(order, [kind](const Operation& one) { return one.kind == kind; });
}

/// Returns whether no worker runs a forward after a backward.
bool
HasPhases(const ScheduleOrder& order)
{
    const auto isBackward = [](const Operation& one) { return one.kind != Kind::Forward; };
    return std::all_of(
        order.stages.begin(),
        order.stages.end(),
        [&isBackward](const StageOrder& stage)
        { return std::is_partitioned(stage.begin(), stage.end(), std::not_fn(isBackward)); });
}

class EverySchedule : public ::testing::TestWithParam<Row>
{
  protected:
    const ScheduleEntry& entry = *FindSchedule(GetParam().name);
};

TEST_P(EverySchedule, TakesAndHoldsWhatItsRowSays)
{
    const ScheduleRequest request = RequestOf(entry);
    const ScheduleOrder order = MakeSchedule(entry, request);
    EXPECT_EQ(SimulateOrder(order, batchCount, request.times).LongestSpan(),
              Duration::Milliseconds(GetParam().span));
    EXPECT_EQ(MostActivations(entry, request), GetParam().most);
    EXPECT_EQ(PeaksOf(order), GetParam().peak);
}

TEST_P(EverySchedule, RefusesTheShapesOfItsRowWithTheReason)
{
    for (const Refused& refused : GetParam().refused)
    {
        ScheduleRequest request;
        request.stages = refused.stages;
        request.microbatches = refused.microbatches;
        request.virtualStages = refused.virtualStages;
        EXPECT_EQ(RefusalOf(entry, request), refused.reason);
        EXPECT_THROW(MakeSchedule(entry, request), std::invalid_argument);
    }
}

TEST_P(EverySchedule, RefusesLayoutsTurnsAndCapsThatItsTraitsRuleOut)
{
    ScheduleShape chunks = RequestOf(entry);
    chunks.virtualStages = 3;
    EXPECT_EQ(RefusalOf(entry, chunks).empty(), entry.layout == StageLayout::RoundRobin);
    ScheduleShape turns = RequestOf(entry);
    turns.cellSize = 2;
    EXPECT_EQ(RefusalOf(entry, turns).empty(), entry.knowsTurns);
    ScheduleShape tight = RequestOf(entry);
    tight.memoryCap = 3;
    // A schedule keeps to a cap, or refuses one that it can't keep to.
    const Workers most = MostActivations(entry, tight);
    EXPECT_EQ(RefusalOf(entry, tight).empty(), *std::max_element(most.begin(), most.end()) <= 3);
}

TEST_P(EverySchedule, HasTheTraitsOfItsEntry)
{
    ScheduleRequest request = RequestOf(entry);
    StageTiming timing = request.times.Stage(0);
    timing.recompute = Duration::Milliseconds(1);
    request.times.stages = {timing};
    request.times.hops = {{Duration::Milliseconds(2), {}}};
    const ScheduleOrder order = MakeSchedule(entry, request);
    EXPECT_EQ(HasKind(order, Kind::WeightGradient), entry.splitsBackward);
    // A search that falls back to a static order runs that one, without traits of its own.
    const bool isOwn = !order.rival || !order.rival->isUsed;
    EXPECT_EQ(HasKind(order, Kind::Recompute), entry.recomputesAhead && isOwn);
    EXPECT_EQ(HasOperation(order, [](const Operation& one) { return one.overlapsNext; }),
              entry.overlapsBlocks);
    EXPECT_EQ(HasPhases(order), entry.hasPhases);
    EXPECT_EQ(order.noFlush.has_value(), entry.isAsynchronous);
    EXPECT_EQ(order.noFlush ? order.noFlush->extraWeightCopies : 0, entry.extraWeightCopies);
    EXPECT_EQ(order.held == HeldForWeights::Half, entry.givesHalfBack);
    Workers workers;
    for (const StageHome& home : HomesOf(order))
    {
        workers.push_back(home.worker);
    }
    EXPECT_EQ(workers, WorkersOfStages(entry, request));
    ScheduleRequest deeper = request;
    deeper.warmupFactor = 2;
    EXPECT_EQ(MakeSchedule(entry, deeper).stages != order.stages, entry.deepensWarmUp);
    EXPECT_EQ(MostActivations(entry, deeper) != MostActivations(entry, request),
              entry.deepensWarmUp);
    request.cellSize = entry.knowsTurns ? 2 : 1;
    // Atlas alone plans an order for each pipeline; the others find one for all.
    EXPECT_EQ(MakeSchedule(entry, request).ofPipeline.size() == 2, entry.name == "atlas" && isOwn);
}

/// A shape that the schedule doesn't refuse, v up to 3, and times of each stage.
ScheduleRequest
RandomRequest(const ScheduleEntry& entry, RandomStream& random)
{
    ScheduleRequest request;
    do
    {
        request.stages = Draw(random, 1, 6);
        request.microbatches = Draw(random, 1, 16);
        request.virtualStages = Draw(random, 1, 3);
    } while (!RefusalOf(entry, request).empty());
    const std::uint32_t stages = request.stages * 3;
    const bool isUniform = random.Uniform() < 0.3;
    for (std::uint32_t stage = 0; stage < stages; ++stage)
    {
        StageTiming timing;
        timing.forward = Duration::Nanoseconds(Draw(random, 1, 100000));
        timing.recompute =
            Duration::Nanoseconds(Draw(random, 0, 1) * timing.forward.ToNanoseconds());
        timing.backwardInput = Duration::Nanoseconds(Draw(random, 1, 100000));
        timing.backwardWeight = Duration::Nanoseconds(Draw(random, 1, 100000));
        request.times.stages.push_back(isUniform && stage > 0 ? request.times.stages.front()
                                                              : timing);
    }
    request.times.hops = {{Duration::Nanoseconds(Draw(random, 0, 200000)), {}}};
    return request;
}

TEST_P(EverySchedule, IsLegalUnderItsCapAndTakesWhatItsSimulationSays)
{
    for (std::uint64_t seed = 1; seed <= 20; ++seed)
    {
        RandomStream random(seed, "test", entry.name);
        const ScheduleRequest request = RandomRequest(entry, random);
        const ScheduleOrder order = MakeSchedule(entry, request);
        SCOPED_TRACE("seed " + std::to_string(seed) + " p " + std::to_string(request.stages) +
                     " m " + std::to_string(request.microbatches) + " v " +
                     std::to_string(request.virtualStages));
        ASSERT_EQ(order.stages.size(), request.stages);
        const Workers most = MostActivations(entry, request);
        const Workers peaks = PeaksOf(order);
        for (std::uint32_t worker = 0; worker < request.stages; ++worker)
        {
            EXPECT_LE(peaks[worker], order.activationCap[worker]);
            EXPECT_LE(order.activationCap[worker], most[worker]);
        }
        // Throws where a dependency is broken.
        const OrderTimeline timeline = SimulateOrder(order, request.microbatches, request.times);
        const SpanRecorder run = RunOrder(order, request.times);
        EXPECT_EQ(run.Makespan(), timeline.Makespan());
        EXPECT_EQ(LongestSpan(run), timeline.LongestSpan());
    }
}

TEST(ScheduleCatalogue, HasARowHereForEachSchedule)
{
    std::vector<std::string> names;
    for (const Row& row : rows)
    {
        names.push_back(row.name);
    }
    std::vector<std::string> known;
    for (const ScheduleEntry& entry : ScheduleCatalogue())
    {
        known.push_back(entry.name);
        EXPECT_FALSE(entry.description.empty() || entry.source.empty()) << entry.name;
    }
    EXPECT_EQ(names, known);
}

TEST(ScheduleCatalogue, NamesTheSchedulesThatHaveATrait)
{
    EXPECT_EQ(NamesOfSchedules(&ScheduleEntry::isAsynchronous), "pipedream-2bw, pipemare");
    EXPECT_EQ(NamesOfSchedules(&ScheduleEntry::knowsTurns),
              "atlas, zb-h2, zb-1p, zb-2p, zb-v, cross-dc");
}

TEST(ScheduleCatalogue, RefusesAPipelineOfNothing)
{
    for (const auto member :
         {&ScheduleShape::stages, &ScheduleShape::microbatches, &ScheduleShape::virtualStages})
    {
        ScheduleShape shape;
        shape.*member = 0;
        EXPECT_EQ(RefusalOf(*FindSchedule("1f1b"), shape),
                  "a pipeline has at least 1 worker, microbatch and stage, and a DP-cell 1 "
                  "pipeline");
    }
}

INSTANTIATE_TEST_SUITE_P(Catalogue,
                         EverySchedule,
                         ::testing::ValuesIn(rows),
                         [](const auto& parameter)
                         {
                             std::string name = parameter.param.name;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

} // namespace
} // namespace geotrain
