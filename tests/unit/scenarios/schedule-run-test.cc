// `geotrain schedule`'s numbers, by formula.
#include "program/schedule-picture.h"
#include "program/schedule-run.h"

#include <gtest/gtest.h>

namespace geotrain
{

namespace
{

ScheduleRunResult
RunOf(const std::string& name, std::uint32_t p, std::uint32_t m, Duration hop)
{
    ScheduleRunRequest request;
    request.name = name;
    request.shape = {p, m, 1};
    request.timing.forward = Duration::Milliseconds(10);
    request.timing.backwardInput = Duration::Milliseconds(12);
    request.timing.backwardWeight = Duration::Milliseconds(8);
    request.hops.assign(p - 1, hop);
    return RunSchedule(request, {});
}

TEST(ScheduleRun, WithoutHopsTheBubbleIsPMinusOneOfMPlusPMinusOne)
{
    for (const auto* name : {"gpipe", "1f1b"})
    {
        const auto result = RunOf(name, 4, 8, Duration());
        EXPECT_EQ(result.makespan, Duration::Milliseconds(30 * (8 + 4 - 1)));
        EXPECT_NEAR(result.bubbleRate, 3.0 / 11, 1e-12);
    }
}

TEST(ScheduleRun, HopsCostGPipeOnceAnd1F1BEveryRound)
{
    const auto c = Duration::Milliseconds(7);
    // (m+p-1)(F+B) + 2c(p-1), and (m+p-1)(F+B) + 2c[(p-1)m/p + (p-2)], p | m.
    EXPECT_EQ(RunOf("gpipe", 4, 8, c).makespan, Duration::Milliseconds(330) + c * 6);
    EXPECT_EQ(RunOf("1f1b", 4, 8, c).makespan, Duration::Milliseconds(330) + c * (2 * (3 * 2 + 2)));
}

TEST(ScheduleRun, PeakActivationsAreTheSchedules)
{
    EXPECT_EQ(RunOf("gpipe", 3, 6, Duration()).peakActivations,
              (std::vector<std::uint32_t>{6, 6, 6}));
    EXPECT_EQ(RunOf("1f1b", 3, 6, Duration()).peakActivations,
              (std::vector<std::uint32_t>{3, 2, 1}));
}

TEST(SchedulePicture, ShowsARowAStage)
{
    // Scale: 3 characters for the shortest computation, 10 ms; the backward takes 20 ms.
    EXPECT_EQ(SchedulePicture(RunOf("gpipe", 2, 1, Duration()), 160),
              "stage   0 |F0-.........B0----|\n"
              "stage   1 |...F0-B0----......|\n");
}

TEST(SchedulePicture, OrderIsReadable)
{
    EXPECT_EQ(OrderText(RunOf("1f1b", 2, 2, Duration()).order.stages[0]), "F0 F1 B0 B1");
}

} // namespace

} // namespace geotrain
