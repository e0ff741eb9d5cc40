// SPDX-License-Identifier: GPL-2.0-only
// Tests that the results of a run are made for each of its jobs.
#include "pipeline-trace.h"
#include "report/run-report.h"
#include "report/run-results.h"
#include "temporary-folder.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace geotrain
{
namespace
{

class RunResultsTest : public ::testing::Test
{
  protected:
    RunResults ResultsOf(const std::vector<trace::Record>& records) const
    {
        WriteTrace((m_folder / "trace.pb").string(), records);
        return RunResults(m_folder / "trace.pb");
    }

    bool Has(const std::string& file) const
    {
        return std::filesystem::exists(m_folder / file);
    }

    TemporaryFolder m_folder;
};

PipelineSetup
SmallPipeline()
{
    PipelineSetup setup;
    setup.stages = 2;
    setup.replicas = 1;
    setup.microbatches = 4;
    return setup;
}

TEST_F(RunResultsTest, OfJobsHaveTheirNamesAndOneTimeline)
{
    const auto results = ResultsOf(TraceOfJobs({{"a", SmallPipeline()}, {"b", SmallPipeline()}}));
    results.WriteTables(m_folder.Path());
    EXPECT_TRUE(Has("critical-path-a.csv"));
    EXPECT_TRUE(Has("critical-path-b.csv"));
    std::filesystem::create_directory(m_folder / "figures");
    FigureChoices choices;
    choices.formats = {"svg"};
    choices.only = {"timeline"};
    results.DrawFigures({m_folder / "figures", &choices});
    for (const auto* figure : {"timeline", "timeline-a", "timeline-b"})
    {
        EXPECT_TRUE(Has("figures/" + std::string(figure) + ".svg")) << figure;
    }
    EXPECT_FALSE(Has("figures/wan-throughput-a.svg"));
    EXPECT_EQ(choices.offered, (std::set<std::string>{"timeline", "wan-throughput"}));
    const auto groups = Contents(m_folder / "figures/timeline.csv");
    EXPECT_NE(groups.find(",a\n"), std::string::npos) << groups;
    EXPECT_NE(groups.find(",b\n"), std::string::npos);
    WriteRunReport(results.Summarize(), m_folder.Path());
    const auto page = Contents(m_folder / "report.html");
    for (const auto* section : {"Result of job a", "Critical path of the last iteration of job b",
                                "All metrics of job b"})
    {
        EXPECT_NE(page.find(section), std::string::npos) << section;
    }
}

TEST_F(RunResultsTest, WithoutJobsHaveThePlainNames)
{
    const auto results = ResultsOf(PipelineTrace(SmallPipeline()));
    results.WriteTables(m_folder.Path());
    EXPECT_TRUE(Has("critical-path.csv"));
    EXPECT_TRUE(results.Summarize().jobs.empty());
    EXPECT_GT(results.Summarize().Find("iteration_time").value_or(0), 0);
}

// The second job was killed in its first iteration: the others have their figures.
TEST_F(RunResultsTest, AJobThatDidNotMeasureHasNoFigures)
{
    auto records = TraceOfJobs({{"a", SmallPipeline()}, {"b", SmallPipeline()}});
    records.erase(std::remove_if(records.begin(),
                                 records.end(),
                                 [](const trace::Record& record)
                                 { return record.has_counters() && record.job() == 1; }),
                  records.end());
    const auto results = ResultsOf(records);
    EXPECT_TRUE(results.Summarize().jobs[1].metrics.empty());
    std::filesystem::create_directory(m_folder / "figures");
    FigureChoices choices;
    choices.formats = {"svg"};
    choices.only = {"timeline"};
    results.DrawFigures({m_folder / "figures", &choices});
    EXPECT_TRUE(Has("figures/timeline-a.svg"));
    EXPECT_FALSE(Has("figures/timeline-b.svg"));
}

} // namespace
} // namespace geotrain
