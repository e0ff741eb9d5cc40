// SPDX-License-Identifier: GPL-2.0-only
// Computes the bubble rates of the zero-bubble paper (Qi et al., ICLR'24, table 5) from orders that
// the Executor ran. The rate is (cost - m (T_F + T_B + T_W)) / cost, where the cost is the longest
// over the stages of the span from a stage's first operation to the end of its last one;
// communication is a delay.

#include "csv-rows.h"
#include "order-runs.h"

#include "schedule/order-simulation.h"
#include "schedule/schedule-catalogue.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace geotrain
{
namespace
{

class ZeroBubblePaper : public ::testing::Test
{
  protected:
    const std::string path = std::string(GEOTRAIN_SHARED_DATA) + "/schedules/zero_bubble_paper.csv";

    void SetUp() override
    {
        if (!std::filesystem::exists(path))
        {
            GTEST_SKIP() << "no reference data at " << path;
        }
    }

    static double RateOf(const std::string& schedule, const CsvRow& row)
    {
        const auto milliseconds = [&row](const char* name)
        { return Duration::Seconds(Number(row, name) * 1e-3); };
        ScheduleRequest request;
        request.stages = static_cast<std::uint32_t>(Number(row, "p"));
        request.microbatches = static_cast<std::uint32_t>(Number(row, "m"));
        request.times = UniformTimes(milliseconds("T_F_ms"),
                                     milliseconds("T_B_ms"),
                                     milliseconds("T_W_ms"),
                                     milliseconds("T_comm_ms"));
        const ScheduleOrder order = FindSchedule(schedule)->make(request);
        const StageTiming timing = request.times.Stage(0);
        const Duration work = (timing.forward + timing.Backward()) * request.microbatches;
        return BubbleRate(LongestSpan(RunOrder(order, request.times)), work);
    }
};

TEST_F(ZeroBubblePaper, OneForwardOneBackwardAndH1HaveThePapersBubbleRates)
{
    for (const CsvRow& row : ReadCsvRows(path))
    {
        // The paper prints four digits, of times with three decimals.
        EXPECT_NEAR(RateOf("1f1b", row), Number(row, "bubble_1F1B"), 0.0005) << row.at("model");
        EXPECT_NEAR(RateOf("zb-h1", row), Number(row, "bubble_ZB_H1"), 0.0005) << row.at("model");
    }
}

TEST_F(ZeroBubblePaper, H2AndTheSearchesAreNotAboveThePapersBubbleRates)
{
    for (const CsvRow& row : ReadCsvRows(path))
    {
        EXPECT_LE(RateOf("zb-h2", row), Number(row, "bubble_ZB_H2") + 0.005) << row.at("model");
        EXPECT_LE(RateOf("zb-1p", row), Number(row, "bubble_ZB_1p") + 0.005) << row.at("model");
        EXPECT_LE(RateOf("zb-2p", row), Number(row, "bubble_ZB_2p") + 0.005) << row.at("model");
    }
}

} // namespace
} // namespace geotrain
