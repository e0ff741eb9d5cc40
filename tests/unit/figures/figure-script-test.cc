// SPDX-License-Identifier: GPL-2.0-only
// A figure's script draws the figure's pictures again, by itself and in any folder.
#include "expect-figure.h"
#include "figures/curve-family-figure.h"
#include "figures/figure-script.h"
#include "figures/gnuplot-run.h"
#include "figures/heat-map-figure.h"
#include "figures/run-figures.h"
#include "pipeline-trace.h"

#include <algorithm>
#include <cstdio>

namespace geotrain
{
namespace
{

/// Returns the picture without what gnuplot writes of itself: the date of a PDF, the title of an
/// SVG.
std::string
PictureIn(const std::filesystem::path& path)
{
    std::string content = Contents(path);
    for (const auto& [begin, end] : {std::pair<std::string, std::string>("/CreationDate (", ")"),
                                     {"<title>Gnuplot", "</desc>\n"}})
    {
        const auto from = content.find(begin);
        if (from != std::string::npos)
        {
            content.erase(from, content.find(end, from) + end.size() - from);
        }
    }
    // The date's place is blank in a figure's PDF.
    content.erase(std::remove(content.begin(), content.end(), ' '), content.end());
    return content;
}

/// Copies the figure's script to another folder and name, runs it from a third folder as a user
/// does, and expects the same pictures beside the copy.
void
ExpectRedrawn(const std::filesystem::path& stem)
{
    const TemporaryFolder other;
    const auto copy = other / "my copy";
    std::filesystem::copy_file(stem.string() + ".gp", copy.string() + ".gp");
    EXPECT_EQ(RunGnuplot("", copy.string() + ".gp"), "");
    for (const std::string format : {".png", ".pdf", ".svg"})
    {
        EXPECT_TRUE(PictureIn(copy.string() + format) == PictureIn(stem.string() + format))
            << stem << format;
    }
}

TEST(FigureScript, RedrawsItsFigureFromAnyFolderAndUnderAnyName)
{
    const TemporaryFolder folder;
    WriteTrace((folder / "trace.pb").string(), PipelineTrace({}));
    TraceReader reader((folder / "trace.pb").string());
    DrawRunFigures(RunTally(reader), folder.Path());
    HeatMap map{"", "Loss", "Iteration time (s)", {"0", "1e-5"}, {"TcpCubic"}, {{1, 2}}};
    DrawHeatMap(map, folder / "map");
    for (const auto* figure : {"timeline", "wan-throughput", "map"})
    {
        ExpectRedrawn(folder / figure);
    }
}

// DejaVu Sans at 9 points writes "TEMPORAL" 5.43 times as wide; behind it is a gap of 4 points.
TEST(Figures, TheLabelOfAMapsRowsIsBesideNamesInCapitals)
{
    const TemporaryFolder folder;
    HeatMap map{
        "", "Connections", "Time (s)", {"1", "5"}, {"SPATIAL", "TEMPORAL"}, {{1, 2}, {3, 4}}};
    map.yLabel = "Sharing";
    DrawHeatMap(map, folder / "map");
    const std::string script = Contents(folder / "map.gp");
    const auto pointsBehind = [&script](const std::string& text)
    {
        constexpr double width = 3.5 * 72;
        return width * std::stod(script.substr(script.find(text) + text.size()));
    };
    const double margin = pointsBehind("set lmargin at screen ");
    const double label = pointsBehind("set label \"Sharing\" at screen ");
    EXPECT_GT(margin - 4 - 5.43 * 9, label + 9.0 / 2);
}

TEST(Figures, AnSvgHoldsTheLabelsBelowItsAxes)
{
    const TemporaryFolder folder;
    DrawCurveFamily(SingleCurve("Time (s)", "Packets", {{0, 1}, {1, 2}}), folder / "curve");
    const std::string svg = Contents(folder / "curve.svg");
    double lowest = 0;
    std::size_t at = 0;
    while ((at = svg.find("translate(", at)) != std::string::npos)
    {
        at = svg.find(',', at) + 1;
        lowest = std::max(lowest, std::stod(svg.substr(at)));
    }
    double width = 0;
    double height = 0;
    ASSERT_EQ(
        std::sscanf(svg.c_str() + svg.find("viewBox"), "viewBox=\"0 0 %lf %lf", &width, &height),
        2);
    // Letters such as p reach a quarter of the font's 12 pixels below the line they stand on.
    EXPECT_LE(lowest + 12.0 / 4, height);
}

// The axes have room for some 35 and 25 letters.
TEST(Figures, LongNamesOfAxesAreBrokenBetweenWords)
{
    EXPECT_EQ(QuotedLines({"a", "\"b\""}), Quoted("a") + " . \"\\n\" . " + Quoted("\"b\""));
    const TemporaryFolder folder;
    const std::string x = "One-way delay of the link between the two data centres (ms)";
    const std::string y = "Goodput of the slowest connection (% of the capacity)";
    DrawCurveFamily(SingleCurve(x, y, {{0, 1}, {1, 2}}), folder / "curve");
    const auto script = Contents(folder / "curve.gp");
    EXPECT_EQ(script.find(Quoted(x)), std::string::npos);
    EXPECT_EQ(script.find(Quoted(y)), std::string::npos);
    EXPECT_NE(script.find("set xlabel \"One-way delay of the link"), std::string::npos) << script;
    EXPECT_NE(script.find("data centres (ms)\""), std::string::npos) << script;
}

} // namespace
} // namespace geotrain
