// SPDX-License-Identifier: GPL-2.0-only
#include "fill-jobs/fill-job.h"
#include "fill-operators.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace geotrain
{

namespace
{

TEST(FillProgram, SegmentsEndAtCheckpointsAndAtTheEndOfThePass)
{
    const FillProgram program(
        "p", 1, {Operator(1, 10, false), Operator(2, 30), Operator(3, 20), Operator(4, 5, false)});
    ASSERT_EQ(program.Segments().size(), 3U);
    EXPECT_EQ(program.Segments()[0].operators, 2U);
    EXPECT_EQ(program.Segments()[0].duration, Duration::Milliseconds(3));
    EXPECT_EQ(program.Segments()[0].memory, Bytes::Of(30000000));
    EXPECT_EQ(program.Segments()[1].firstOperator, 2U);
    EXPECT_EQ(program.Segments()[2].held, Bytes::Of(5000000));
    EXPECT_EQ(program.PassDuration(), Duration::Milliseconds(10));
    EXPECT_EQ(program.PeakMemory(), Bytes::Of(30000000));
    EXPECT_EQ(program.PassWork().Count(), 10e9); // 10 ms at 1 TFLOP/s
}

TEST(FillProgram, RefusesWhatIsImpossible)
{
    EXPECT_THROW(FillProgram("p", 1, {}), std::invalid_argument);
    EXPECT_THROW(FillProgram("p", 0, {Operator(1, 1)}), std::invalid_argument);
    EXPECT_THROW(FillProgram("p", 1, {Operator(0, 1)}), std::invalid_argument);
    EXPECT_THROW(FillProgram("p", 1, {Operator(1, -1)}), std::invalid_argument);
}

TEST(FillJob, LastPassMayBePartlyFull)
{
    const FillProgram program("p", 8, {Operator(1, 1)});
    EXPECT_EQ(PassesOf(program, 16), 2U);
    EXPECT_EQ(PassesOf(program, 17), 3U);
}

} // namespace

} // namespace geotrain
