// SPDX-License-Identifier: GPL-2.0-only
// Tests a user's own order: reading, legality, and PyTorch's own file.

#include "error-text.h"
#include "order-runs.h"

#include "schedule/custom-order.h"
#include "schedule/zb-1p.h"
#include "units/config-error.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace geotrain
{
namespace
{

std::string
RefusalOf(const std::string& text)
{
    return ErrorText([&] { ParseOrder(text, "orders.csv"); });
}

TEST(CustomOrder, ReadsRowsAsWorkersAndBlanksAsIdle)
{
    const CustomOrder custom = ParseOrder("0F0,,0B0\n,1F0, 1B0 ,\n\n", "orders.csv");
    using Kind = Operation::Kind;
    EXPECT_EQ(custom.microbatches, 1u);
    ASSERT_EQ(custom.order.stages.size(), 2u);
    EXPECT_EQ(custom.order.stages[1], (StageOrder{{Kind::Forward, 0}, {Kind::Backward, 0}}));
}

TEST(CustomOrder, AnEntryThatCannotBeReadIsNamedByRowAndColumn)
{
    EXPECT_NE(RefusalOf("0F0,0B0\n1F0,1X0\n").find("orders.csv: row 2, column 2: \"1X0\""),
              std::string::npos);
    EXPECT_NE(RefusalOf("0F-1\n").find("row 1, column 1"), std::string::npos);
    EXPECT_NE(RefusalOf("0F99999999999\n").find("row 1, column 1"), std::string::npos);
    EXPECT_NE(RefusalOf("").find("must have one row per worker"), std::string::npos);
}

TEST(CustomOrder, AnIllegalOrderNamesTheDependencyThatItBreaks)
{
    EXPECT_NE(RefusalOf("0B0,0F0\n")
                  .find("the backward of microbatch 0 in stage 0 comes before the forward of "
                        "microbatch 0 in stage 0, which it depends on"),
              std::string::npos);
    EXPECT_NE(RefusalOf("0F0,0F1,0B0,0B1\n1F0,1B0\n")
                  .find("the forward of microbatch 1 in stage 1 is missing"),
              std::string::npos);
    EXPECT_NE(RefusalOf("0F0,0F0,0B0\n").find("the forward of microbatch 0 in stage 0 comes twice"),
              std::string::npos);
    EXPECT_NE(RefusalOf("0F0,0B0,0W0,0F1,0B1\n")
                  .find("the weight gradient of microbatch 1 in stage 0 is missing"),
              std::string::npos);
    EXPECT_NE(RefusalOf("0F0,0B0\n2F0,2B0\n").find("stage 2 must belong to exactly one worker"),
              std::string::npos);
    EXPECT_NE(RefusalOf("0F0,0B0\n0F0,0B0\n").find("must belong to exactly one worker"),
              std::string::npos);
    // Worker 0 wants the gradient of 0 before it has sent the activation of 1 that worker 1 wants
    // first.
    EXPECT_NE(
        RefusalOf("0F0,0B0,0F1,0B1\n1F1,1F0,1B0,1B1\n")
            .find("the backward of microbatch 0 in stage 0 waits for ever for the backward of "
                  "microbatch 0 in stage 1"),
        std::string::npos);
}

class PyTorchOrder : public ::testing::Test
{
  protected:
    const std::string path =
        std::string(GEOTRAIN_SHARED_DATA) + "/schedules/pytorch_zb1p_order.csv";

    void SetUp() override
    {
        if (!std::filesystem::exists(path))
        {
            GTEST_SKIP() << "no reference data at " << path;
        }
    }
};

TEST_F(PyTorchOrder, Zb1pWithTwoVirtualStagesGivesIt)
{
    const CustomOrder custom = ReadOrder(path);
    const auto unit = Duration::Milliseconds(1);
    ScheduleRequest request;
    request.stages = 2;
    request.microbatches = custom.microbatches;
    request.virtualStages = 2;
    request.times = UniformTimes(unit, unit, unit, {});
    const ScheduleOrder order = Zb1p(request);
    EXPECT_EQ(order.stages, custom.order.stages);
    EXPECT_EQ(order.stagesOfWorker, custom.order.stagesOfWorker);
}

TEST_F(PyTorchOrder, RunsOnTheExecutorWithOneBubbleOnTheFirstWorker)
{
    // 8 microbatches of 2 stages are 48 operations per worker; the file has one blank in the first
    // row.
    const CustomOrder custom = ReadOrder(path);
    const auto unit = Duration::Milliseconds(1);
    const auto spans = WorkerSpans(RunOrder(custom.order, UniformTimes(unit, unit, unit, {})));
    EXPECT_EQ(spans.at(0).Length(), unit * 49);
    EXPECT_EQ(spans.at(1).Length(), unit * 48);
}

} // namespace
} // namespace geotrain
