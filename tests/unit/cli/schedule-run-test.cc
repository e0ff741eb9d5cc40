// SPDX-License-Identifier: GPL-2.0-only
// Checks the numbers of `geotrain schedule` against formulas.
#include "cli/schedule-picture.h"
#include "cli/schedule-run.h"

#include <gtest/gtest.h>

#include <optional>

namespace geotrain
{

namespace
{

ScheduleRunResult
RunOf(const std::string& name, std::uint32_t p, std::uint32_t m, Duration hop)
{
    ScheduleRunRequest request;
    request.name = name;
    request.shape.stages = p;
    request.shape.microbatches = m;
    request.timing.forward = Duration::Milliseconds(10);
    request.timing.backwardInput = Duration::Milliseconds(12);
    request.timing.backwardWeight = Duration::Milliseconds(8);
    request.hops = {hop};
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

/// Returns whether a worker pauses between its spans.
bool
Pauses(const ScheduleRunResult& result, std::uint32_t worker)
{
    std::optional<Instant> free;
    for (const auto& span : result.spans)
    {
        if (span.worker == worker)
        {
            if (free && span.start != *free)
            {
                return true;
            }
            free = span.end;
        }
    }
    return false;
}

Instant
FirstStart(const ScheduleRunResult& result, std::uint32_t worker)
{
    Instant first = Instant::Never();
    for (const auto& span : result.spans)
    {
        first = span.worker == worker ? std::min(first, span.start) : first;
    }
    return first;
}

TEST(ScheduleRun, ACellsTurnsLeaveNoGapsBetweenMicrobatches)
{
    // C = 4 pipelines, turns of 2 ms: all four take less than a forward of 10 ms, so that every
    // pipeline's last worker never pauses from its first forward on, although a gradient's way back
    // takes longer than a microbatch's work. Pipeline r's first activation comes (r + 1) turns and
    // the hop of 20 ms after its forward; over its own node pair alone, a message would occupy that
    // for 4 turns.
    ScheduleRunRequest request;
    request.name = "atlas";
    request.shape.stages = 2;
    request.shape.microbatches = 8;
    request.shape.cellSize = 4;
    request.timing.forward = Duration::Milliseconds(10);
    request.timing.backwardInput = Duration::Milliseconds(20);
    request.hops = {Duration::Milliseconds(20)};
    request.turn = Duration::Milliseconds(2);
    const auto result = RunSchedule(request, {});
    for (std::uint32_t pipeline = 0; pipeline < 4; ++pipeline)
    {
        const std::uint32_t last = 2 * pipeline + 1;
        EXPECT_FALSE(Pauses(result, last)) << pipeline;
        EXPECT_NEAR(FirstStart(result, last).ToSeconds(), 0.030 + 0.002 * (pipeline + 1), 1e-6);
    }
    request.shape.memoryCap = 2; // less memory than covers the way
    EXPECT_TRUE(Pauses(RunSchedule(request, {}), 1));
}

TEST(ScheduleRun, AMessageOccupiesItsHopForItsTurn)
{
    // GPipe, 2 stages: forwards of 10 ms, each message occupies the way 15 ms and arrives 5 ms
    // later: the last of 4 leaves after 10 + 4 x 15 ms. Stage 1 then runs 1 forward and 4 backwards
    // of 20 ms; the gradients come 20 ms apart, so that only the last one's 15 + 5 ms and backward
    // of 20 ms are left.
    ScheduleRunRequest request;
    request.name = "gpipe";
    request.shape.stages = 2;
    request.shape.microbatches = 4;
    request.timing.forward = Duration::Milliseconds(10);
    request.timing.backwardInput = Duration::Milliseconds(20);
    request.hops = {Duration::Milliseconds(5)};
    request.turn = Duration::Milliseconds(15);
    EXPECT_NEAR(RunSchedule(request, {}).makespan.ToSeconds(),
                0.010 + 4 * 0.015 + 0.005 + 0.010 + 4 * 0.020 + 0.020 + 0.020,
                1e-6);
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
    // The shortest computation, 10 ms, has 3 characters, and the backward takes 20 ms.
    EXPECT_EQ(SchedulePicture(RunOf("gpipe", 2, 1, Duration()), 160),
              "stage   0 |F0-.........B0----|\n"
              "stage   1 |...F0-B0----......|\n"
              "time      |0            60 ms|\n");
}

// 12 microbatches of 30 ms in 60 characters: two for a forward, which hold no "F10".
TEST(SchedulePicture, CutsNoNumber)
{
    const auto picture = SchedulePicture(RunOf("gpipe", 1, 12, Duration()), 72);
    EXPECT_NE(picture.find("F9F-F-"), std::string::npos) << picture;
    EXPECT_NE(picture.find("B10-B11-"), std::string::npos) << picture;
}

TEST(SchedulePicture, OrderIsReadable)
{
    EXPECT_EQ(OrderText(RunOf("1f1b", 2, 2, Duration()).order, 0), "F0 F1 B0 B1");
}

} // namespace

} // namespace geotrain
