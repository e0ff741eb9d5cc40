// SPDX-License-Identifier: GPL-2.0-only
// Figures are whole files of the right kind, the same each time, with as many rows as they can
// hold.
#include "expect-figure.h"
#include "figures/comparison-figure.h"
#include "figures/curve-family-figure.h"
#include "figures/run-figures.h"
#include "figures/stacked-timelines-figure.h"
#include "figures/timeline-layout.h"
#include "pipeline-trace.h"
#include "temporary-folder.h"
#include "trace/trace-error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

namespace geotrain
{
namespace
{

std::filesystem::path
TraceOf(const TemporaryFolder& folder, const PipelineSetup& setup)
{
    const auto path = folder / "trace.pb";
    WriteTrace(path.string(), PipelineTrace(setup));
    return path;
}

VariantSummary
Variant(const TemporaryFolder& folder, const std::string& name, const PipelineSetup& setup)
{
    TraceReader reader(TraceOf(folder, setup).string());
    return {name, Summarize(reader)};
}

std::vector<std::filesystem::path>
DrawFiguresOf(const std::filesystem::path& trace, const std::filesystem::path& folder)
{
    TraceReader reader(trace.string());
    return DrawRunFigures(RunTally(reader), folder);
}

TEST(Figures, RunGivesTimelineAndWanThroughputAndNothingElse)
{
    const TemporaryFolder folder;
    const auto files = DrawFiguresOf(TraceOf(folder, {}), folder.Path());
    EXPECT_EQ(files.size(), 2 * filesOfFigure);
    ExpectFigure(folder / "timeline");
    ExpectFigure(folder / "wan-throughput");
    const auto entries = std::filesystem::directory_iterator(folder.Path());
    EXPECT_EQ(std::distance(begin(entries), end(entries)), 11); // the trace and two figures
}

TEST(Figures, ARunKilledInItsFirstIterationShowsWhatThereIs)
{
    const TemporaryFolder folder;
    auto records = PipelineTrace({});
    records.resize(records.size() / 2);
    WriteTrace((folder / "trace.pb").string(), records);
    const auto files = DrawFiguresOf(folder / "trace.pb", folder.Path());
    EXPECT_GE(files.size(), 1 * filesOfFigure);
    ExpectFigure(folder / "timeline");
}

TEST(Figures, ATraceOfNothingIsRefused)
{
    const TemporaryFolder folder;
    auto records = PipelineTrace({});
    records.resize(1); // the header
    WriteTrace((folder / "trace.pb").string(), records);
    EXPECT_THROW(DrawFiguresOf(folder / "trace.pb", folder.Path()), TraceError);
}

TEST(Figures, AreTheSameBytesTwice)
{
    const TemporaryFolder folder;
    const auto trace = TraceOf(folder, {});
    std::vector<std::string> first;
    for (const auto& file : DrawFiguresOf(trace, folder.Path()))
    {
        first.push_back(Contents(file));
    }
    std::size_t index = 0;
    for (const auto& file : DrawFiguresOf(trace, folder.Path()))
    {
        EXPECT_EQ(Contents(file), first[index++]) << file;
    }
}

TEST(Figures, AreTheSameBytesInEveryTimeZone)
{
    const TemporaryFolder folder;
    const auto trace = TraceOf(folder, {});
    std::vector<std::string> drawn;
    for (const char* zone : {"UTC0", "Asia/Kolkata", "XYZ-5:45"})
    {
        setenv("TZ", zone, 1);
        std::string all;
        for (const auto& file : DrawFiguresOf(trace, folder.Path()))
        {
            all += Contents(file);
        }
        drawn.push_back(all);
    }
    unsetenv("TZ");
    EXPECT_EQ(drawn[0], drawn[1]);
    EXPECT_EQ(drawn[0], drawn[2]);
}

TEST(Figures, RunInsideOneDataCentreHasNoWanThroughput)
{
    const TemporaryFolder folder;
    PipelineSetup setup;
    setup.dataCentres = {"only"};
    EXPECT_EQ(DrawFiguresOf(TraceOf(folder, setup), folder.Path()).size(), 1 * filesOfFigure);
}

TimelineLayout
LayoutOf(std::uint32_t stages, std::uint32_t replicas)
{
    PipelineSetup setup;
    setup.stages = stages;
    setup.replicas = replicas;
    setup.microbatches = 1;
    return LayOutTimeline(PipelineTrace(setup).front().run_header());
}

TEST(Figures, TimelineOf64WorkersHasARowForEach)
{
    EXPECT_EQ(LayoutOf(8, 8).workers.size(), 64u);
    EXPECT_EQ(LayoutOf(8, 8).shown, "");
}

TEST(Figures, TimelineOfMoreWorkersShowsTheFirstReplicasThatFit)
{
    EXPECT_EQ(LayoutOf(8, 26).workers.size(), 64u);
    EXPECT_EQ(LayoutOf(8, 26).shown, "replicas 0 to 7 of 26 (64 of 208 workers)");
    EXPECT_EQ(LayoutOf(40, 3).workers.size(), 40u);
    EXPECT_EQ(LayoutOf(40, 3).shown, "replica 0 of 3 (40 of 120 workers)");
}

// Every 4th of 256 stages, from the first one on.
TEST(Figures, TimelineOfALongPipelineShowsStagesAllAlongIt)
{
    const auto layout = LayoutOf(256, 2);
    ASSERT_EQ(layout.workers.size(), 64u);
    EXPECT_EQ(layout.shown, "64 of 256 stages, replica 0 of 2");
    EXPECT_EQ(layout.workers[1], 4);
    EXPECT_EQ(layout.workers.back(), 252);
}

TEST(Figures, TimelinesFitAPage)
{
    constexpr double page = 9 * 72; // points, as high as the text of a paper
    for (const auto& [stages, replicas] :
         {std::pair(1u, 1u), {16u, 4u}, {64u, 1u}, {8u, 200u}, {300u, 1u}})
    {
        // A data centre per stage; room for the legend and the axis.
        EXPECT_LT(LayoutOf(stages, replicas).heightPoints, page - 72) << stages;
    }
    PipelineSetup setup;
    setup.stages = 200;
    setup.microbatches = 1;
    const auto header = PipelineTrace(setup).front().run_header();
    EXPECT_LT(LayOutReplica(header, 0, "gpipe", 0).heightPoints, page / 10); // of ten runs
}

TEST(Figures, ComparisonTakesLongAndOddNames)
{
    const TemporaryFolder folder;
    const std::vector<VariantSummary> variants = {
        Variant(folder, "1F1B, one connection of 1.5 MB a node pair, as PyTorch opens it", {}),
        Variant(folder, "it's_a^{name} 'with' \"quotes\" @ & \\n new\nline", {}),
        Variant(folder, std::string(90, 'x'), {}),
        Variant(folder, "", {})};
    EXPECT_EQ(DrawComparison(variants, folder / "comparison").size(), 1 * filesOfFigure);
    ExpectFigure(folder / "comparison");
}

// 50 variants of 24 pt on pages of (640 - 70) / 24 = 23, 23 and 4.
TEST(Figures, ComparisonOfManyVariantsHasPages)
{
    const TemporaryFolder folder;
    const std::vector<VariantSummary> variants(50, Variant(folder, "one of many", {}));
    EXPECT_EQ(DrawComparison(variants, folder / "comparison").size(), 3 * filesOfFigure);
    ExpectFigure(folder / "comparison");
    ExpectFigure(folder / "comparison-2");
    ExpectFigure(folder / "comparison-3");
}

TEST(Figures, ChoicesAreFollowed)
{
    const TemporaryFolder folder;
    const std::vector<VariantSummary> variants(30, Variant(folder, "a", {}));
    FigureChoices choices;
    choices.only = {"comparison"};
    choices.formats = {"svg"};
    choices.widthPoints = oneColumnPoints;
    choices.title = "a title";
    const FigurePlace place(folder.Path(), &choices);
    EXPECT_EQ(DrawComparison(variants, place / "other").size(), 0u);
    // Both pages, each an SVG, a CSV and a gnuplot script.
    EXPECT_EQ(DrawComparison(variants, place / "comparison").size(), 6u);
    EXPECT_EQ(choices.offered, (std::set<std::string>{"comparison", "other"}));
    const auto svg = Contents(folder / "comparison.svg");
    // 252 points of 1/72 inch are 336 pixels of 1/96 inch.
    EXPECT_NE(svg.find("width=\"336\""), std::string::npos);
    EXPECT_NE(svg.find("a title"), std::string::npos);
    EXPECT_EQ(svg.find("Gnuplot"), std::string::npos);
}

// The CSV holds what the script draws: a header, and a row per point.
TEST(Figures, DataIsTidy)
{
    const TemporaryFolder folder;
    CurveFamily family{"Round trip (ms)", "Goodput (% of capacity)"};
    family.curves = {{"TcpCubic", {{1, 90}, {10, 50.5}}}, {"a, \"b\"", {{1, 80}}}};
    family.halfWidths = {{0, 2}, {0}};
    family.curvesAre = "control";
    DrawCurveFamily(family, folder / "curves");
    EXPECT_EQ(Contents(folder / "curves.csv"),
              "control,round_trip_ms,goodput_percent_of_capacity,goodput_percent_of_capacity_ci95\n"
              "TcpCubic,1,90,0\nTcpCubic,10,50.5,2\n\"a, \"\"b\"\"\",1,80,\n");
}

// Dashes would hide the steps of a distribution: its lines are solid, and markers tell them apart.
TEST(Figures, ADistributionHasNoDashes)
{
    const TemporaryFolder folder;
    CurveFamily family{"Time (s)", "Share (%)", CurveLook::Lines};
    family.curves = {{"one", {{0, 0}, {1, 100}}}, {"two", {{0, 0}, {2, 100}}}};
    const auto script = [&](CurveLook look, const std::string& name)
    {
        family.look = look;
        DrawCurveFamily(family, folder / name);
        return Contents(folder / (name + ".gp"));
    };
    const auto lines = script(CurveLook::Lines, "lines");
    EXPECT_NE(lines.find(" dt 2"), std::string::npos);
    EXPECT_EQ(lines.find("linespoints"), std::string::npos);
    const auto stairs = script(CurveLook::Stairs, "stairs");
    EXPECT_EQ(stairs.find(" dt 2"), std::string::npos);
    EXPECT_NE(stairs.find("linespoints"), std::string::npos);
    EXPECT_NE(stairs.find(" pn "), std::string::npos);
}

TEST(Figures, APartOfTimeOutsideIsRefused)
{
    FigureChoices choices;
    choices.fromSeconds = 2;
    const FigurePlace place("figures", &choices);
    EXPECT_EQ(place.TimeRange(0, 5), (std::pair<double, double>(2, 5)));
    EXPECT_THROW(place.TimeRange(0, 2), TraceError);
}

TEST(Figures, StackedTimelinesHoldRunsOfDifferentLength)
{
    const TemporaryFolder folder;
    const auto trace = TraceOf(folder, {});
    PipelineSetup longer;
    longer.microbatches = 24;
    WriteTrace((folder / "longer.pb").string(), PipelineTrace(longer));
    DrawStackedTimelines({{"short", trace}, {"long", folder / "longer.pb"}},
                         "round trip 10 ms",
                         folder / "timelines");
    ExpectFigure(folder / "timelines");
}

TEST(Figures, StackedTimelinesShowOneReplicaByStage)
{
    PipelineSetup setup;
    setup.stages = 8;
    setup.replicas = 3;
    const auto header = PipelineTrace(setup).front().run_header();
    const auto layout = LayOutReplica(header, 1, "gpipe", 100);
    ASSERT_EQ(layout.workers.size(), 8u);
    for (int stage = 0; stage < 8; ++stage)
    {
        const auto& worker = header.workers(layout.workers[static_cast<std::size_t>(stage)]);
        EXPECT_EQ(worker.replica(), 1u);
        EXPECT_EQ(worker.stage(), static_cast<std::uint32_t>(stage));
    }
    EXPECT_GT(layout.tops.front(), 100);
    EXPECT_NEAR(layout.heightPoints, layout.tops.back() + layout.rowPoints, 1e-9); // points
}

TEST(Figures, MissingGnuplotIsNamedInOneLine)
{
    const TemporaryFolder folder;
    const auto trace = TraceOf(folder, {});
    const std::string path = getenv("PATH");
    setenv("PATH", folder.Path().c_str(), 1);
    try
    {
        DrawFiguresOf(trace, folder.Path());
        FAIL() << "no error";
    }
    catch (const TraceError& error)
    {
        EXPECT_STREQ(error.what(), "gnuplot: must be installed");
    }
    setenv("PATH", path.c_str(), 1);
    EXPECT_FALSE(std::filesystem::exists(folder / "timeline.png"));
    EXPECT_FALSE(std::filesystem::exists(folder / "timeline.png.part"));
}

TEST(Figures, MissingFolderIsNamed)
{
    const TemporaryFolder folder;
    EXPECT_THROW(DrawFiguresOf(TraceOf(folder, {}), folder / "missing"), TraceError);
}

// The interval of 95 +- 20 ends at 100, where `most` says that no value is higher: the y axis then
// ends at 1.08 x 100. Without it the axis ends at 1.08 x 115 = 124.2.
TEST(Figures, ErrorBarsEndAtTheHighestPossibleValue)
{
    const TemporaryFolder folder;
    auto family = SingleCurve("RTT (ms)", "Goodput (%)", {{10, 95}, {20, 5}});
    family.halfWidths = {{20, 20}};
    DrawCurveFamily(family, folder / "free");
    family.most = 100;
    DrawCurveFamily(family, folder / "bounded");
    EXPECT_NE(Contents(folder / "free.gp").find("set yrange [0:124.2"), std::string::npos);
    EXPECT_NE(Contents(folder / "bounded.gp").find("set yrange [0:108"), std::string::npos);
    EXPECT_NE(Contents(folder / "bounded.csv").find("10,95,20"), std::string::npos);
}

} // namespace
} // namespace geotrain
