// What every schedule of the catalogue must hold, over random shapes and times: legality, its memory cap, and the same
// times from the Executor as from the order's simulation.

#include "order-runs.h"

#include "schedule/order-simulation.h"
#include "schedule/schedule-catalogue.h"
#include "units/random-stream.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

std::uint32_t
Draw(RandomStream& random, std::uint32_t low, std::uint32_t high)
{
    return low + static_cast<std::uint32_t>(random.Uniform() * (high - low + 1));
}

/// v of 1 to 3 where the schedule has virtual stages; m a multiple of p, and at least 2p, where it must be.
ScheduleRequest
RandomRequest(const std::string& name, RandomStream& random)
{
    ScheduleRequest request;
    request.stages = Draw(random, 1, 6);
    request.microbatches = Draw(random, 1, 16);
    const bool hasVirtualStages = name == "interleaved" || name.rfind("zb-", 0) == 0;
    if (hasVirtualStages && name != "zb-h2" && name != "zb-v")
    {
        request.virtualStages = Draw(random, 1, 3);
    }
    if (request.virtualStages > 1)
    {
        request.microbatches = request.stages * Draw(random, 1, 4);
    }
    if (name == "dualpipe-v" || name == "pipedream-2bw")
    {
        request.microbatches += 2 * request.stages;
    }
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

class EverySchedule : public ::testing::TestWithParam<std::string>
{
};

TEST_P(EverySchedule, IsLegalUnderItsCapAndTakesWhatItsSimulationSays)
{
    for (std::uint64_t seed = 1; seed <= 20; ++seed)
    {
        RandomStream random(seed, "test", GetParam());
        const ScheduleRequest request = RandomRequest(GetParam(), random);
        const ScheduleOrder order = FindSchedule(GetParam())->make(request);
        const std::string shape = GetParam() + " seed " + std::to_string(seed) + " p " +
                                  std::to_string(request.stages) + " m " +
                                  std::to_string(request.microbatches) + " v " +
                                  std::to_string(request.virtualStages);
        ASSERT_EQ(order.stages.size(), request.stages) << shape;
        for (std::uint32_t worker = 0; worker < request.stages; ++worker)
        {
            EXPECT_LE(PeakActivations(order.stages[worker], order.held),
                      order.activationCap[worker])
                << shape;
        }
        // Throws where a dependency is broken.
        const OrderTimeline timeline = SimulateOrder(order, request.microbatches, request.times);
        const SpanRecorder run = RunOrder(order, request.times);
        EXPECT_EQ(run.Makespan(), timeline.Makespan()) << shape;
        EXPECT_EQ(LongestSpan(run), timeline.LongestSpan()) << shape;
    }
}

std::vector<std::string>
Names()
{
    std::vector<std::string> names;
    for (const ScheduleEntry& entry : ScheduleCatalogue())
    {
        names.push_back(entry.name);
    }
    return names;
}

INSTANTIATE_TEST_SUITE_P(Catalogue,
                         EverySchedule,
                         ::testing::ValuesIn(Names()),
                         [](const auto& parameter)
                         {
                             std::string name = parameter.param;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

} // namespace
} // namespace geotrain
