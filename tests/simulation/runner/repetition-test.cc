// SPDX-License-Identifier: GPL-2.0-only
// A run that ends when its iterations repeat each other tells what the whole run tells.
#include "scenario-runs.h"
#include "small-scenario.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

double
Value(const Summary& summary, const std::string& name)
{
    return summary.Find(name).value_or(-1);
}

class Repetition : public ::testing::TestWithParam<const char*>
{
  protected:
    Summary RunWith(const std::string& set) const
    {
        return RunOnce(LoadSmall({std::string("run.network=") + GetParam(),
                                  "run.warmup_iterations=1",
                                  "run.iterations=20",
                                  set}));
    }
};

// Over packets the all-reduces of 0.3 ms swing by 2 %, and all else by less than a thousandth, so that
// the whole run's means are met within 1 %.
TEST_P(Repetition, StandsForMostOfALongRun)
{
    const Summary all = RunWith("run.repeat=0");
    const Summary few = RunWith("run.repeat=3%");
    EXPECT_FALSE(all.Find("repeated_iterations"));
    const double repeated = Value(few, "repeated_iterations");
    EXPECT_GE(repeated, 10);
    EXPECT_EQ(few.iterations, 20u);
    EXPECT_TRUE(few.complete);
    const double time = Value(all, "iteration_time");
    EXPECT_NEAR(Value(few, "iteration_time"), time, 0.01 * time);
    EXPECT_NEAR(Value(few, "gpu_utilization"),
                Value(all, "gpu_utilization"),
                0.01 * Value(all, "gpu_utilization"));
    EXPECT_DOUBLE_EQ(Value(few, "wan_bytes"), Value(all, "wan_bytes"));
    EXPECT_NEAR(Value(few, "simulated_time"),
                Value(all, "simulated_time") - repeated * time,
                0.01 * Value(all, "simulated_time"));
}

INSTANTIATE_TEST_SUITE_P(Over, Repetition, ::testing::Values("PACKET", "ANALYTIC"));

} // namespace
} // namespace geotrain
