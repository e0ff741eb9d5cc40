// SPDX-License-Identifier: GPL-2.0-only
// Compares the names of metrics with what the library's scenarios have given.
#include "metrics/metric-names.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

namespace geotrain
{

namespace
{

TEST(MetricNames, AreInAlphabeticalOrderAndDifferent)
{
    const auto& names = MetricNames();
    EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
    EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
}

TEST(MetricNames, SayWhatTheyMeanInASentence)
{
    auto names = MetricNames();
    names.insert(names.end(),
                 {"goodput_web", "completion_time_p99_to_10kB", "analytic_all_reduce"});
    for (const auto& name : names)
    {
        const auto meaning = MeaningOf(name);
        EXPECT_GT(meaning.size(), 10U) << name;
        EXPECT_TRUE(meaning.empty() || meaning.back() == '.') << name << ": " << meaning;
    }
    EXPECT_EQ(MeaningOf("queue_delay_p95"),
              "95th percentile of the wait of a packet before the bottleneck's wire.");
    EXPECT_EQ(MeaningOf("messages_above_10MB"),
              "Messages that were delivered. Messages above 10MB alone.");
    EXPECT_EQ(MeaningOf("share_web"),
              "Share of all steady flows' payload that was delivered by the flows web.");
    EXPECT_EQ(MeaningOf("nothing"), "");
    for (const auto& name : MainMetricNames())
    {
        EXPECT_TRUE(IsMetricName(name, {})) << name;
    }
}

TEST(MetricNames, HoldEachMetricOfTheLibrarysRecords)
{
    const std::filesystem::path records =
        std::filesystem::path(GEOTRAIN_SOURCE_DIR) / "tests/golden/library";
    std::size_t metrics = 0;
    for (const auto& entry : std::filesystem::directory_iterator(records))
    {
        std::ifstream csv(entry.path());
        std::string line;
        std::getline(csv, line);
        const bool isSummary = line.rfind("metric,", 0) == 0; // not a comparison
        while (isSummary && std::getline(csv, line))
        {
            const auto name = line.substr(0, line.find(','));
            EXPECT_TRUE(IsMetricName(name, {})) << name << " in " << entry.path();
            ++metrics;
        }
    }
    EXPECT_GT(metrics, 100U); // the records were found: a dozen summaries of about twenty metrics
}

TEST(MetricNames, SharesAndIndicesOfFairnessEndAtOne)
{
    for (const auto* name : {"gpu_utilization",
                             "idle_wan_turn",
                             "goodput_over_capacity",
                             "joins_converged",
                             "in_time_share",
                             "share_web",
                             "retransmitted_share_web"})
    {
        EXPECT_TRUE(IsShare(name)) << name;
        EXPECT_EQ(LargestOf(name), 1) << name;
    }
    for (const auto* name : {"goodput", "iteration_time", "fill_job_gain", "wan_bytes"})
    {
        EXPECT_FALSE(IsShare(name)) << name;
        EXPECT_TRUE(std::isinf(LargestOf(name))) << name;
    }
    EXPECT_FALSE(IsShare("jain_index"));
    EXPECT_EQ(LargestOf("jain_index"), 1);
}

TEST(MetricNames, OfAFlowNeedAFlowOfThatName)
{
    EXPECT_TRUE(IsMetricName("goodput_web", {"long", "web"}));
    EXPECT_TRUE(IsMetricName("rtt_p95_long", {"long", "web"}));
    EXPECT_FALSE(IsMetricName("goodput_wb", {"long", "web"}));
    EXPECT_FALSE(IsMetricName("goodput_", {"long", "web"}));
    EXPECT_TRUE(IsMetricName("completion_time_p99_above_10MB", {}));
    EXPECT_FALSE(IsMetricName("completion_time_p99_to_2MB", {}));
}

} // namespace

} // namespace geotrain
