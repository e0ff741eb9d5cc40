// SPDX-License-Identifier: GPL-2.0-only
// Tests the parts of the program that say things: tables, missing traces, times and orders, and what
// options of figures mean.
#include "cli/figure-options.h"
#include "cli/missing-traces.h"
#include "cli/schedule-picture.h"
#include "cli/terminal-width.h"
#include "cli/verb.h"
#include "error-text.h"
#include "result-folders.h"
#include "temporary-folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace geotrain
{
namespace
{

/// Sets COLUMNS for one test.
class Columns
{
  public:
    explicit Columns(const std::string& columns)
    {
        setenv("COLUMNS", columns.c_str(), 1);
    }

    ~Columns()
    {
        unsetenv("COLUMNS");
    }

    Columns(const Columns&) = delete;
    Columns& operator=(const Columns&) = delete;
};

TEST(TerminalWidths, FollowColumnsDownToSixty)
{
    const std::pair<const char*, std::size_t> cases[] = {
        {"100", 100}, {"60", 60}, {"20", 60}, {"400", 400}};
    for (const auto& [columns, width] : cases)
    {
        const Columns set(columns);
        EXPECT_EQ(TableColumns(), width) << columns;
    }
}

TEST(TerminalWidths, AreEightyWhereNobodySaysOtherwise)
{
    const TemporaryFolder folder;
    FILE* file = std::fopen((folder / "x").c_str(), "w");
    ASSERT_NE(file, nullptr);
    EXPECT_EQ(TerminalColumns(fileno(file)), 80u); // no terminal
    for (const auto* columns : {"", "x", "0", "-5"})
    {
        const Columns set(columns);
        EXPECT_EQ(TableColumns(fileno(file)), 80u) << columns;
    }
    std::fclose(file);
}

/// Returns what PrintQuantities() prints.
std::string
Printed(bool quiet, bool json)
{
    OutputOptions options;
    options.quiet = quiet;
    options.json = json;
    testing::internal::CaptureStdout();
    PrintQuantities({{"goodput_bps", 123456789.0}, {"packets", 17}, {"control", "TcpCubic"}},
                    options);
    return testing::internal::GetCapturedStdout();
}

TEST(Quantities, AreATableOrAnObjectOrNothing)
{
    EXPECT_EQ(Printed(false, false),
              "quantity     value\n"
              "goodput_bps  1.235e+08\n"
              "packets      17\n"
              "control      TcpCubic\n");
    EXPECT_EQ(Printed(true, false), "");
    const auto json = nlohmann::json::parse(Printed(true, true)); // --json goes before --quiet
    EXPECT_EQ(json["goodput_bps"], 123456789.0);
    EXPECT_EQ(json["control"], "TcpCubic");
}

FigureOptions
OptionsWith(std::string FigureOptions::*field, const std::string& value)
{
    FigureOptions options;
    options.*field = value;
    return options;
}

TEST(FigureWidths, AreInPoints)
{
    // An inch has 72 points and 2.54 cm.
    const std::pair<const char*, double> cases[] = {{"one-column", 252},
                                                    {"two-column", 504},
                                                    {"3.5in", 252},
                                                    {"300pt", 300},
                                                    {"12.7cm", 360},
                                                    {"127mm", 360},
                                                    {"1.5in", 108},
                                                    {"20in", 1440}};
    for (const auto& [text, points] : cases)
    {
        const auto choices = ChoicesOf(OptionsWith(&FigureOptions::width, text));
        ASSERT_TRUE(choices.widthPoints) << text;
        EXPECT_NEAR(*choices.widthPoints, points, 1e-9) << text;
    }
    for (const auto* text : {"1.4in", "20.1in", "5", "in", "5 in", "nan", "-3in", "5ft", "5inch"})
    {
        const auto error = ErrorText([&] { ChoicesOf(OptionsWith(&FigureOptions::width, text)); });
        EXPECT_EQ(error.rfind("--width: \"", 0), 0u) << text << ": " << error;
    }
}

TEST(FigureTimes, AreAPartThatHasALength)
{
    FigureOptions options;
    options.from = "500ms";
    options.to = "2s";
    const auto choices = ChoicesOf(options);
    EXPECT_EQ(choices.fromSeconds, 0.5);
    EXPECT_EQ(choices.toSeconds, 2);
    options.to = "500ms";
    EXPECT_EQ(ErrorText([&] { ChoicesOf(options); }),
              "--to: \"500ms\" must be later than --from 500ms");
    EXPECT_NE(ErrorText([] { ChoicesOf(OptionsWith(&FigureOptions::from, "-1s")); }), "");
    EXPECT_NE(ErrorText([] { ChoicesOf(OptionsWith(&FigureOptions::to, "soon")); }), "");
}

TEST(FigureNames, AreJoinedByCommas)
{
    FigureOptions options;
    options.only = {"timeline,comparison", "congestion"};
    EXPECT_EQ(ChoicesOf(options).only,
              (std::set<std::string>{"timeline", "comparison", "congestion"}));
    for (const auto* names : {"", ",", "a,", ",a", "a,,b"})
    {
        options.only = {names};
        EXPECT_NE(
            ErrorText([&] { ChoicesOf(options); }).find("must name one or more, joined by commas"),
            std::string::npos)
            << names;
    }
}

TEST(FigureTitles, MayBeNone)
{
    EXPECT_EQ(ChoicesOf({}).title, std::nullopt);
    EXPECT_EQ(ChoicesOf(OptionsWith(&FigureOptions::title, "none")).title, "");
    EXPECT_EQ(ChoicesOf(OptionsWith(&FigureOptions::title, "Own")).title, "Own");
}

class MissingTracesTest : public ::testing::Test
{
  protected:
    std::string Told() const
    {
        const Columns wide("400"); // in one line
        testing::internal::CaptureStderr();
        TellOfMissingTraces(m_folder.Path());
        return testing::internal::GetCapturedStderr();
    }

    std::string Refusal() const
    {
        return ErrorText([this] { RefuseWithoutTraces("export", m_folder.Path()); });
    }

    TemporaryFolder m_folder;
};

TEST_F(MissingTracesTest, AreToldOfEachVariantOfAComparison)
{
    WriteRun(m_folder / "a", OneGpuTrace(1));
    WriteText(m_folder / "b/messages.txt", "stuck\n");
    WriteText(m_folder / "c/trace.pb", "no trace");
    WriteText(m_folder / "comparison.csv", "variant\na\nb\nc\n");
    const auto told = Told();
    EXPECT_EQ(std::count(told.begin(), told.end(), '\n'), 2) << told;
    EXPECT_NE(told.find("b/trace.pb is not there; "), std::string::npos) << told;
    EXPECT_NE(told.find("messages.txt says why: figures and tables leave b out"), std::string::npos)
        << told;
    EXPECT_NE(told.find(": figures and tables leave c out"), std::string::npos) << told;
}

TEST_F(MissingTracesTest, OfARunNothingIsTold)
{
    WriteRun(m_folder.Path(), OneGpuTrace(1));
    EXPECT_EQ(Told(), "");
}

TEST_F(MissingTracesTest, AFolderWithoutAnyIsRefused)
{
    EXPECT_NE(Refusal().find("must be a folder that run or compare wrote"), std::string::npos);
    WriteText(m_folder / "scenario.textproto", "");
    EXPECT_NE(Refusal().find("holds no trace: "), std::string::npos) << Refusal();
    WriteText(m_folder / "a/messages.txt", "stuck\n");
    WriteText(m_folder / "comparison.csv", "variant\na\n");
    EXPECT_NE(Refusal().find("holds no trace that can be read: "), std::string::npos);
    EXPECT_NE(Refusal().find("messages.txt says why"), std::string::npos) << Refusal();
    EXPECT_EQ(Refusal().rfind("export: ", 0), 0u);
}

TEST(TimeTexts, HaveAUnitThatSuits)
{
    const std::pair<Duration, const char*> cases[] = {{Duration::Milliseconds(424), "424 ms"},
                                                      {Duration::Milliseconds(1500), "1.5 s"},
                                                      {Duration::Nanoseconds(1500), "1.5 us"},
                                                      {Duration::Nanoseconds(999999), "1000 us"},
                                                      {Duration(), "0 us"}};
    for (const auto& [span, text] : cases)
    {
        EXPECT_EQ(TimeText(span), text);
    }
}

TEST(OrderTexts, HaveTheStageInFrontWhereAWorkerHasSeveral)
{
    ScheduleOrder order;
    order.stages = {{{Operation::Kind::Forward, 0},
                     {Operation::Kind::Recompute, 0},
                     {Operation::Kind::Backward, 0},
                     {Operation::Kind::WeightGradient, 0}}};
    EXPECT_EQ(OrderText(order, 0), "F0 R0 B0 W0");
}

} // namespace
} // namespace geotrain
