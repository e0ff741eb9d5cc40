// SPDX-License-Identifier: GPL-2.0-only
// Sets earlier results side by side. Iteration times are chosen so that the spread of seeds can be
// calculated by hand.
#include "comparison/earlier-results.h"

#include "compared-rows.h"
#include "error-text.h"
#include "result-folders.h"
#include "temporary-folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace geotrain
{

namespace
{

namespace fs = std::filesystem;

class EarlierResultsTest : public ::testing::Test
{
  protected:
    /// Writes a run of an iteration of `seconds` into a folder below the test's, and returns it.
    fs::path Run(const std::string& name, double seconds) const
    {
        WriteRun(m_folder / name, OneGpuTrace(seconds));
        return m_folder / name;
    }

    /// Writes the runs of a variant with seeds 1, 2, ..., and returns its folder.
    fs::path Seeds(const std::string& name, const std::vector<double>& seconds) const
    {
        for (std::size_t i = 0; i < seconds.size(); ++i)
        {
            Run(name + "/seed-" + std::to_string(i + 1), seconds[i]);
        }
        return m_folder / name;
    }

    /// Returns a name as the results have it.
    std::string Name(const std::string& name) const
    {
        return (m_folder / name).lexically_normal().string();
    }

    /// Returns the error for these folders, without the test's folder.
    std::string ErrorOf(const std::vector<fs::path>& folders) const
    {
        auto error = ErrorText([&] { EarlierResults results(folders); });
        for (const auto& own : {Name(""), m_folder.Path().string() + "/"})
        {
            const auto at = error.find(own);
            error.erase(std::min(at, error.size()), at == std::string::npos ? 0 : own.size());
        }
        return error;
    }

    TemporaryFolder m_folder;
};

/// Returns the line of `text` that begins with `start`; empty where there is none.
std::string
LineOf(const std::string& text, const std::string& start)
{
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
    {
        if (line.rfind(start, 0) == 0)
        {
            return line;
        }
    }
    return "";
}

/// Returns the words of a line.
std::vector<std::string>
WordsIn(const std::string& line)
{
    std::istringstream stream(line);
    std::vector<std::string> words;
    for (std::string word; stream >> word;)
    {
        words.push_back(word);
    }
    return words;
}

TEST_F(EarlierResultsTest, TwoRunsStandSideBySide)
{
    const EarlierResults results({Run("x", 1), Run("y", 2)});
    const auto text = results.Text(80);
    EXPECT_EQ(LineOf(text, "A: "), "A: " + Name("x"));
    EXPECT_EQ(LineOf(text, "B: "), "B: " + Name("y"));
    EXPECT_EQ(WordsIn(LineOf(text, "metric")), (std::vector<std::string>{"metric", "A", "B"}));
    EXPECT_EQ(WordsIn(LineOf(text, iterationTimeColumn)),
              (std::vector<std::string>{iterationTimeColumn, "1", "2"}));
}

// The GPU computes without a pause in both, so that its utilisation is 1 in both.
TEST_F(EarlierResultsTest, MetricsThatAreEqualAreLeftOut)
{
    const auto text = EarlierResults({Run("x", 1), Run("y", 2)}).Text(80);
    EXPECT_EQ(LineOf(text, "gpu_utilization"), "");
    EXPECT_NE(text.find("metrics that are equal in all are left out\n"), std::string::npos);
}

TEST_F(EarlierResultsTest, TheFirstMetricStaysWhereAllAreEqual)
{
    const auto text = EarlierResults({Run("x", 1), Run("y", 1)}).Text(80);
    EXPECT_EQ(WordsIn(LineOf(text, iterationTimeColumn)),
              (std::vector<std::string>{iterationTimeColumn, "1", "1"}));
}

TEST_F(EarlierResultsTest, SingleRunsHaveNoSpread)
{
    const EarlierResults results({Run("x", 1), Run("y", 2), Run("z", 3)});
    const auto text = results.Text(80);
    EXPECT_NE(text.find("the spread of seeds is unknown between A and B, C"), std::string::npos)
        << text;
    EXPECT_EQ(text.find("*"), std::string::npos) << text;
    const auto rows = RowsOfCsv(results.Csv());
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_EQ(rows[0].at("exceeds_spread"), ""); // the first is what others are held against
    EXPECT_EQ(rows[1].at("exceeds_spread"), "unknown");
    EXPECT_EQ(rows[2].at("exceeds_spread"), "unknown");
    EXPECT_EQ(results.Json()["results"][1]["spread_known"], false);
    EXPECT_FALSE(results.Json()["results"][1]["metrics"][iterationTimeColumn].contains(
        "exceeds_spread"));
}

// Of three seeds with 1, 2 and 3 s the mean is 2 and s = 1. A single run is expected within
// t(0.975, 2) s sqrt(1 + 1/3) = 4.3027 x 1.1547 = 4.968 of it: 6.9 s is, 7 s is not.
TEST_F(EarlierResultsTest, ASingleRunBesideSeedsIsMarkedBeyondTheirSpread)
{
    const EarlierResults results({Seeds("x", {1, 2, 3}), Run("near", 6.9), Run("far", 7)});
    const auto text = results.Text(80);
    EXPECT_EQ(LineOf(text, "A: "), "A: " + Name("x") + " (3 seeds)");
    const auto line = LineOf(text, iterationTimeColumn);
    EXPECT_NE(line.find(" 6.9 "), std::string::npos) << line;
    EXPECT_EQ(line.find("6.9 *"), std::string::npos) << line;
    EXPECT_NE(line.find("7 *"), std::string::npos) << line;
    EXPECT_NE(text.find("*: differs from A by more than the spread of seeds (95 %)"),
              std::string::npos);
    const auto rows = RowsOfCsv(results.Csv());
    EXPECT_EQ(rows[1].at("exceeds_spread"), "");
    const auto exceeding = WordsIn(rows[2].at("exceeds_spread"));
    EXPECT_EQ(std::count(exceeding.begin(), exceeding.end(), iterationTimeColumn), 1);
    const auto json = results.Json()["results"];
    EXPECT_EQ(json[1]["metrics"][iterationTimeColumn]["exceeds_spread"], false);
    EXPECT_EQ(json[2]["metrics"][iterationTimeColumn]["exceeds_spread"], true);
}

// t(0.975, 2) s / sqrt(3) = 4.3027 / 1.7321 = 2.484
TEST_F(EarlierResultsTest, SeedsGiveMeanAndInterval)
{
    const EarlierResults results({Seeds("x", {1, 2, 3}), Run("y", 2)});
    EXPECT_NE(LineOf(results.Text(80), iterationTimeColumn).find("2 ± 2"), std::string::npos);
    const auto json = results.Json()["results"];
    EXPECT_EQ(json[0]["seeds"], 3);
    EXPECT_EQ(json[0]["metrics"][iterationTimeColumn]["mean"], 2.0);
    EXPECT_NEAR(
        json[0]["metrics"][iterationTimeColumn]["ci95"].get<double>(), 2.484, 0.0005); // rounded
    EXPECT_FALSE(json[1]["metrics"][iterationTimeColumn].contains("ci95"));
    const auto rows = RowsOfCsv(results.Csv());
    EXPECT_EQ(rows[0].at(iterationTimeColumn), "2");
    EXPECT_NEAR(Number(rows[0], std::string(iterationTimeColumn) + "_ci95"), 2.484, 0.0005);
}

TEST_F(EarlierResultsTest, AComparisonGivesItsVariantsInItsOrder)
{
    Run("c/slow", 3);
    Run("c/fast", 1);
    Run("c/other", 9); // a folder that the table doesn't name
    WriteText(m_folder / "c/comparison.csv", "variant,iteration_time_s\nslow,3\nfast,1\n");
    const auto rows = RowsOfCsv(EarlierResults({m_folder / "c"}).Csv());
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[0].at("variant"), Name("c/slow"));
    EXPECT_EQ(rows[1].at("variant"), Name("c/fast"));
}

TEST_F(EarlierResultsTest, VariantsWithoutResultAreLeftOut)
{
    Run("c/a", 3);
    fs::create_directories(m_folder / "c/failed");
    Seeds("c/drawn", {1, 2});
    WriteText(m_folder / "c/comparison.csv", "variant\na\nfailed\nnever-begun\ndrawn\n");
    const auto json = EarlierResults({m_folder / "c"}).Json()["results"];
    ASSERT_EQ(json.size(), 2u);
    EXPECT_EQ(json[0]["result"], Name("c/a"));
    EXPECT_EQ(json[1]["result"], Name("c/drawn"));
    EXPECT_EQ(json[1]["seeds"], 2);
}

TEST_F(EarlierResultsTest, SeedsThatDidNotEndAreLeftOut)
{
    Seeds("x", {1, 2});
    WriteText(m_folder / "x/seed-3/trace.pb", "half of a trace");
    fs::create_directories(m_folder / "x/figures");
    EXPECT_EQ(EarlierResults({m_folder / "x", Run("y", 1)}).Json()["results"][0]["seeds"], 2);
}

TEST_F(EarlierResultsTest, ASlashAtTheEndOfAFolderIsNoPartOfItsName)
{
    Run("x", 1);
    const EarlierResults results({m_folder / "x/", m_folder / "./x"});
    const auto rows = RowsOfCsv(results.Csv());
    EXPECT_EQ(rows[0].at("variant"), Name("x"));
    EXPECT_EQ(rows[1].at("variant"), Name("x"));
}

TEST_F(EarlierResultsTest, FoldersWithoutResultsAreRefusedWithTheReason)
{
    const auto good = Run("good", 1);
    WriteText(m_folder / "file", "");
    fs::create_directory(m_folder / "empty");
    WriteText(m_folder / "cut/scenario.textproto", "");
    WriteText(m_folder / "lost/scenario.textproto", "");
    WriteText(m_folder / "lost/summary.csv", "metric,value,unit\n");
    WriteRun(m_folder / "cut", OneGpuTrace(1));
    fs::remove(m_folder / "cut/summary.csv");
    const std::pair<const char*, const char*> cases[] = {
        {"gone", "must be a folder that run or compare wrote"},
        {"file", "must be a folder that run or compare wrote"},
        {"empty", "must hold a run that ended, or a comparison"},
        {"cut", "holds a run without summary.csv: it did not end"},
        {"lost", "holds a run without trace.pb, from which results are compared"}};
    for (const auto& [name, rule] : cases)
    {
        EXPECT_EQ(ErrorOf({good, m_folder / name}),
                  std::string("--results: \"") + name + "\" " + rule);
    }
}

TEST_F(EarlierResultsTest, OneResultIsNoComparison)
{
    EXPECT_EQ(ErrorOf({Run("x", 1)}), "--results: \"x\" is one result; at least two are needed");
    Run("c/a", 1);
    WriteText(m_folder / "c/comparison.csv", "variant\na\n");
    EXPECT_EQ(ErrorOf({m_folder / "c"}),
              "--results: \"c\" is one result; at least two are needed");
}

TEST_F(EarlierResultsTest, TrainingBesideMessagesIsRefused)
{
    WriteRun(m_folder / "messages", MessagesTrace({0.1}));
    EXPECT_EQ(ErrorOf({Run("x", 1), m_folder / "messages"}),
              "--results: \"messages\" is of bulk messages, or the first is, and not both");
    EXPECT_EQ(ErrorOf({m_folder / "messages", Run("x", 1)}),
              "--results: \"x\" is of bulk messages, or the first is, and not both");
}

TEST_F(EarlierResultsTest, MessagesAreComparedByTheirCompletionTime)
{
    WriteRun(m_folder / "x", MessagesTrace({0.1}));
    WriteRun(m_folder / "y", MessagesTrace({0.05}));
    const auto rows = RowsOfCsv(EarlierResults({m_folder / "x", m_folder / "y"}).Csv());
    EXPECT_EQ(rows[1].at(completionTimeColumn), "0.05");
    EXPECT_EQ(rows[1].at(speedupColumn), "2"); // 0.1 s / 0.05 s
}

// MFU needs the GPUs' peak, which the first run does not tell.
TEST_F(EarlierResultsTest, AMetricThatOneLacksIsADash)
{
    WriteRun(m_folder / "x",
             OneGpuTrace(1,
                         [](trace::RunHeader& header)
                         { header.mutable_workers(0)->set_peak_flops_per_gpu(0); }));
    const EarlierResults results({m_folder / "x", Run("y", 1)});
    const auto words = WordsIn(LineOf(results.Text(80), "mfu "));
    ASSERT_EQ(words.size(), 3u);
    EXPECT_EQ(words[1], "-");
    EXPECT_NE(words[2], "-");
    EXPECT_FALSE(results.Json()["results"][0]["metrics"].contains("mfu"));
    EXPECT_TRUE(results.Json()["results"][1]["metrics"].contains("mfu"));
    EXPECT_EQ(RowsOfCsv(results.Csv())[0].at("mfu"), "");
}

// Twenty-eight results of the one run: a narrow terminal has several tables, and each has the first.
TEST_F(EarlierResultsTest, ResultsThatDoNotFitGoIntoFurtherTablesBesideTheFirst)
{
    const auto run = Run("x", 1);
    const EarlierResults results(std::vector<fs::path>(28, run));
    const auto text = results.Text(60);
    EXPECT_EQ(LineOf(text, "Z: "), "Z: " + Name("x"));
    EXPECT_EQ(LineOf(text, "AA: "), "AA: " + Name("x"));
    EXPECT_EQ(LineOf(text, "AB: "), "AB: " + Name("x"));
    std::vector<std::string> letters;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
    {
        const auto words = WordsIn(line);
        if (!words.empty() && words.front() == "metric")
        {
            EXPECT_LE(line.size(), 60u);
            ASSERT_GE(words.size(), 3u);
            EXPECT_EQ(words[1], "A");
            letters.insert(letters.end(), words.begin() + 2, words.end());
        }
    }
    ASSERT_EQ(letters.size(), 27u); // all but the first, once each
    EXPECT_EQ(letters.front(), "B");
    EXPECT_EQ(letters.back(), "AB");
}

} // namespace

} // namespace geotrain
