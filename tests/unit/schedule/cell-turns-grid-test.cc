// SPDX-License-Identifier: GPL-2.0-only
// Holds the searching schedules to their promises over a grid that varies microbatches, cells, round
// trips, turns and stages.
#include "schedule/order-simulation.h"
#include "schedule/schedule-catalogue.h"
#include "schedule/static-rival.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace geotrain
{
namespace
{

/// One point of the grid.
struct Point
{
    std::uint32_t stages;
    std::uint32_t microbatches;
    std::uint32_t cells;
    std::int64_t roundTrip; ///< ms
    std::int64_t turn;      ///< ms for which a message occupies the WAN
};

std::string
Text(const Point& point)
{
    return std::to_string(point.stages) + " stages, " + std::to_string(point.microbatches) +
           " microbatches, " + std::to_string(point.cells) + " cells, " +
           std::to_string(point.roundTrip) + " ms of round trip, turns of " +
           std::to_string(point.turn) + " ms";
}

/// Stages take 10 ms forward and 10 ms for each half of the backward. The WAN is between the two
/// workers in the middle. Two chunks per worker go down the pipeline and back up.
ScheduleRequest
RequestOf(const Point& point, std::uint32_t chunks)
{
    ScheduleRequest request;
    request.stages = point.stages;
    request.microbatches = point.microbatches;
    request.cellSize = point.cells;
    StageTiming timing;
    timing.forward = Duration::Milliseconds(10);
    timing.backwardInput = Duration::Milliseconds(10);
    timing.backwardWeight = Duration::Milliseconds(10);
    request.times.stages = {timing};
    request.virtualStages = chunks;
    const std::uint32_t last = chunks * point.stages - 2;
    request.times.hops.assign(last + 1, {Duration::Microseconds(50), Duration()});
    const std::uint32_t middle = (point.stages - 1) / 2;
    for (const std::uint32_t hop : {middle, chunks > 1 ? last - middle : middle})
    {
        Hop& wan = request.times.hops[hop];
        wan.delay = Duration::Milliseconds(point.roundTrip / 2);
        wan.occupancy = Duration::Milliseconds(point.turn);
        wan.takesTurns = point.cells > 1;
    }
    return request;
}

std::vector<Point>
Grid()
{
    std::vector<Point> grid;
    for (const std::uint32_t microbatches : {8u, 16u, 32u, 64u, 128u})
    {
        for (std::uint32_t cells = 1; cells <= 5; ++cells)
        {
            for (const std::int64_t roundTrip : {10, 40, 100})
            {
                for (const std::int64_t turn : {1, 4, 9})
                {
                    const std::uint32_t stages = 2 + (cells + microbatches / 8) % 3;
                    grid.push_back({stages, microbatches, cells, roundTrip, turn});
                }
            }
        }
    }
    return grid;
}

Duration
MakespanOf(const std::string& name, const ScheduleRequest& request)
{
    return SimulateOrder(MakeSchedule(*FindSchedule(name), request), request).Makespan();
}

class CellTurnsGrid : public testing::TestWithParam<const char*>
{
};

TEST_P(CellTurnsGrid, MoreMemoryIsNeverSlowerAndNoStaticScheduleIsFaster)
{
    const std::string name = GetParam();
    const std::uint32_t chunks = FindSchedule(name)->plannedVirtualStages;
    for (const Point& point : Grid())
    {
        auto request = RequestOf(point, chunks);
        double before = 1e9;
        for (const std::uint32_t depth : {1u, 2u, 3u, 5u, 8u})
        {
            const std::uint32_t cap = depth * point.stages * chunks;
            request.memoryCap = cap;
            const double makespan = MakespanOf(name, request).ToSeconds();
            EXPECT_LE(makespan, 1.01 * before) << Text(point) << ", " << cap << " activations";
            before = std::min(before, makespan);
            const auto rivals = chunks > 1 ? Rivals::Waves : Rivals::WholeBackwards;
            const StaticBest rival = BestStaticOrder(request, cap, rivals);
            if (!rival.rival.name.empty())
            {
                EXPECT_LE(makespan, rival.rival.makespan.ToSeconds())
                    << Text(point) << ", " << cap << " activations, " << rival.rival.name;
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Schedules,
                         CellTurnsGrid,
                         testing::Values("cross-dc", "zb-1p", "zb-2p", "zb-v", "atlas"));

} // namespace
} // namespace geotrain
