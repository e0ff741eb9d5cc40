// SPDX-License-Identifier: GPL-2.0-only
// Runs whole comparisons of a small training on the analytic network, and draws comparisons again
// from traces that never ran.
#include "comparison/compare.h"

#include "compared-rows.h"
#include "result-folders.h"
#include "small-scenario.h"
#include "temporary-folder.h"
#include "trace/trace-error.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace geotrain
{

namespace
{

namespace fs = std::filesystem;

class CompareTest : public ::testing::Test
{
  protected:
    /// Compares the small scenario with `more` below it, and returns the table.
    ComparisonTable CompareWith(const std::string& more,
                                const std::vector<std::string>& varies = {})
    {
        const auto text = AsText(SmallScenarioText() + more);
        VariantRequest request;
        request.sets = {"run.network=ANALYTIC"};
        request.varies = varies;
        CompareOptions options;
        options.plans = PlanVariants(text, request);
        options.seeds = options.plans.seeds;
        options.jobs = 2;
        options.folder = m_folder / "c";
        options.commandLine = "geotrain compare small";
        options.figures = DrawnFigures::Comparison;
        fs::create_directories(options.folder);
        return Compare(text, options);
    }

    nlohmann::json Info() const
    {
        return nlohmann::json::parse(Contents(m_folder / "c/run-info.json"));
    }

    std::vector<CsvRow> Rows() const
    {
        return RowsOfCsv(Contents(m_folder / "c/comparison.csv"));
    }

    bool HasFigure(const std::string& name) const
    {
        return fs::exists(m_folder / "c/figures" / (name + ".svg"));
    }

    TemporaryFolder m_folder;
};

TEST_F(CompareTest, TheFolderHasScenarioTableReportAndOrigin)
{
    const auto table = CompareWith("variant { name: \"four\" }\n"
                                   "variant { name: \"eight\" set: \"model.microbatches=8\" }\n");
    EXPECT_EQ(Contents(m_folder / "c/comparison.csv"), table.Csv());
    const auto rows = Rows();
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[1].at("variant"), "eight");
    EXPECT_EQ(rows[1].at("model.microbatches"), "8");
    EXPECT_EQ(rows[0].at("model.microbatches"), ""); // the scenario's own
    // Twice the microbatches take longer.
    EXPECT_GT(Number(rows[1], iterationTimeColumn), Number(rows[0], iterationTimeColumn));
    EXPECT_LT(Number(rows[1], speedupColumn), 1);
    EXPECT_NE(Contents(m_folder / "c/scenario.textproto").find("name: \"eight\""),
              std::string::npos); // as it was given, with its variants
    EXPECT_EQ(Info()["command_line"], "geotrain compare small");
    EXPECT_EQ(Info()["exit_code"], 0);
    EXPECT_EQ(Info()["seed"], 1);
    EXPECT_NE(Contents(m_folder / "c/report.html").find("Comparison of 2 variants of small"),
              std::string::npos);
    EXPECT_TRUE(fs::exists(m_folder / "c/eight/trace.pb"));
    EXPECT_FALSE(fs::exists(m_folder / "c/eight/report.html")); // drawsRuns is false
    EXPECT_TRUE(HasFigure("comparison"));
}

TEST_F(CompareTest, AFailedVariantGivesItsCodeAndLeavesTheOthers)
{
    const auto table = CompareWith("", {"model.microbatches=2,-2"});
    ASSERT_EQ(table.Rows().size(), 2u);
    EXPECT_EQ(table.Rows()[0].exitCode, 0);
    EXPECT_EQ(table.Rows()[1].exitCode, 1);
    EXPECT_EQ(Info()["exit_code"], 1);
    EXPECT_EQ(Rows()[1].at(iterationTimeColumn), "");
    const auto report = Contents(m_folder / "c/report.html");
    EXPECT_NE(report.find("failed: small.textproto: model.microbatches: &quot;-2&quot; must be"),
              std::string::npos);
}

TEST_F(CompareTest, WithoutAnyResultThereIsATableOfFailures)
{
    const auto table = CompareWith("", {"model.microbatches=-1,-2"});
    EXPECT_EQ(table.Means().variants.size(), 0u);
    EXPECT_EQ(Rows().size(), 2u);
    EXPECT_FALSE(fs::exists(m_folder / "c/figures"));
    EXPECT_NE(Contents(m_folder / "c/report.html").find("of which none finished"),
              std::string::npos);
}

TEST_F(CompareTest, SeedsHaveFoldersAndAreNamedInTheOrigin)
{
    CompareWith("variant { name: \"own\" set: \"run.seeds=[5]\" }\nvariant { name: \"all\" }\n"
                "run { seeds: [2, 4] compute_jitter: 0.1 }\n");
    EXPECT_EQ(Info()["seeds"], (std::vector<int>{5, 2, 4}));
    EXPECT_TRUE(fs::exists(m_folder / "c/own/trace.pb")); // one seed
    EXPECT_TRUE(fs::exists(m_folder / "c/all/seed-2/trace.pb"));
    EXPECT_TRUE(fs::exists(m_folder / "c/all/seed-4/trace.pb"));
    EXPECT_GT(Number(Rows()[1], std::string(iterationTimeColumn) + "_ci95"), 0);
}

const std::string declared = R"text(
grid { vary: "model.microbatches=2,4" vary: "schedule.name=1f1b,gpipe" }
figure {
  name: "own" metric: "iteration_time" label: "Iteration (s)" across: "model.microbatches"
  across_label: "Microbatches" by: "schedule.name"
}
)text";

TEST_F(CompareTest, DeclaredFiguresReplaceTheChosenOnes)
{
    CompareWith(declared);
    EXPECT_TRUE(HasFigure("own"));
    EXPECT_FALSE(HasFigure("comparison"));
}

TEST_F(CompareTest, ADeclaredFigureIsLeftOutWhereItsFieldDoesNotVary)
{
    CompareWith(declared, {"schedule.name=1f1b,gpipe"});
    EXPECT_FALSE(HasFigure("own"));
    EXPECT_TRUE(HasFigure("comparison"));
}

TEST_F(CompareTest, ADeclaredFigureOfAMetricThatNoRunHasIsWarnedOf)
{
    auto text = declared;
    text.replace(text.find("\"iteration_time\""), 16, "\"fill_job_gain\"");
    testing::internal::CaptureStderr();
    CompareWith(text);
    const auto warning = testing::internal::GetCapturedStderr();
    EXPECT_NE(warning.find("geotrain: warning: figure own is not drawn: \"fill_job_gain\""),
              std::string::npos)
        << warning;
    EXPECT_FALSE(HasFigure("own"));
}

TEST_F(CompareTest, AWrongDeclarationIsRefusedBeforeAnythingRuns)
{
    const std::string figure = "figure { name: \"x\" metric: \"mfu\" label: \"l\" across: \"mtu\" "
                               "across_label: \"a\" ";
    for (const std::string& slip :
         {figure + "}\n" + figure + "}",               // two of one name
          figure + "line { name: \"l\" y: [1, 2] } }", // a level is one number
          std::string("criterion { what: \"x\" metric: \"mfu\" reference: \"r\" at_least: 2 "
                      "at_most: 1 }")})
    {
        EXPECT_THROW(CompareWith(slip), ConfigError) << slip;
        EXPECT_TRUE(fs::is_empty(m_folder / "c")) << slip;
    }
}

/// A comparison of two variants that never ran.
class DrawnAgain : public ::testing::Test
{
  protected:
    void SetUp() override
    {
        for (const auto& [variant, seconds] : {std::pair("slow", 2.0), std::pair("fast", 1.0)})
        {
            WriteRun(m_folder / variant,
                     OneGpuTrace(seconds,
                                 [name = std::string(variant)](trace::RunHeader& header)
                                 { header.set_variant_title("The " + name + " one"); }));
        }
        WriteText(m_folder / "comparison.csv",
                  "variant,mtu,iteration_time_s\nslow,1500,2\nfast,9000,1\n");
        m_choices.formats = {"svg"};
    }

    /// Returns the names of the files that are drawn.
    std::vector<std::string> Draw(const std::vector<std::string>& only = {})
    {
        std::vector<std::string> names;
        for (const auto& file : DrawComparisonAgain(m_folder.Path(), only, m_choices))
        {
            EXPECT_TRUE(fs::exists(file)) << file;
            names.push_back(file.filename().string());
        }
        std::sort(names.begin(), names.end());
        return names;
    }

    TemporaryFolder m_folder;
    FigureChoices m_choices;
};

TEST_F(DrawnAgain, FromTracesAndTheTableAlone)
{
    m_choices.only = {"comparison"};
    EXPECT_EQ(Draw(),
              (std::vector<std::string>{"comparison.csv", "comparison.gp", "comparison.svg"}));
    const auto data = Contents(m_folder / "figures/comparison.csv");
    EXPECT_NE(data.find("The slow one"), std::string::npos) << data;
    EXPECT_NE(Contents(m_folder / "report.html").find("The fast one"), std::string::npos);
    EXPECT_EQ(m_choices.offered.count("comparison"), 1u);
}

TEST_F(DrawnAgain, OnlyTheVariantsThatAreNamed)
{
    m_choices.only = {"comparison"};
    Draw({"fast"});
    EXPECT_EQ(Contents(m_folder / "figures/comparison.csv").find("The slow one"),
              std::string::npos);
    Draw({"The slow one,fast"});
    EXPECT_NE(Contents(m_folder / "figures/comparison.csv").find("The slow one"),
              std::string::npos);
    EXPECT_EQ(ErrorText<TraceError>([&] { Draw({"slwo"}); }),
              "--variant: \"slwo\" is no variant; there are slow, fast");
}

TEST_F(DrawnAgain, WithoutTheVariantsThatLeftNoTrace)
{
    fs::remove_all(m_folder / "slow");
    fs::remove(m_folder / "fast/summary.csv"); // the trace is enough
    m_choices.only = {"comparison"};
    Draw();
    const auto data = Contents(m_folder / "figures/comparison.csv");
    EXPECT_EQ(data.find("slow"), std::string::npos) << data;
    EXPECT_NE(data.find("The fast one"), std::string::npos) << data;
}

TEST_F(DrawnAgain, ButNotOfAComparisonThatWasKilled)
{
    fs::remove(m_folder / "comparison.csv");
    const auto error = ErrorText([&] { Draw(); });
    EXPECT_NE(error.find("has no comparison.csv that lists its variants"), std::string::npos)
        << error;
}

} // namespace

} // namespace geotrain
