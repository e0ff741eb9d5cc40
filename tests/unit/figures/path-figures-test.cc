// SPDX-License-Identifier: GPL-2.0-only
// Figures of learned paths: what they show, and when there is nothing to show.
#include "expect-figure.h"
#include "figures/path-figures.h"
#include "figures/spread-figure.h"

namespace geotrain
{
namespace
{

// Nearest ranks of 1 to 100: the value at rank p is p.
TEST(PathFigures, PercentilesAreOfNearestRanks)
{
    std::vector<double> values;
    for (int i = 100; i > 0; --i)
    {
        values.push_back(i);
    }
    const auto spread = SpreadOfValues(values);
    ASSERT_TRUE(spread);
    EXPECT_EQ(spread->p5, 5);
    EXPECT_EQ(spread->p25, 25);
    EXPECT_EQ(spread->p50, 50);
    EXPECT_EQ(spread->p75, 75);
    EXPECT_EQ(spread->p95, 95);
    EXPECT_EQ(SpreadOfValues({7})->p5, 7);
    EXPECT_FALSE(SpreadOfValues({}));
}

TEST(PathFigures, EachControlHasABoxPerPath)
{
    const TemporaryFolder folder;
    std::vector<PathFlow> flows;
    for (const std::string control : {"TcpVegas", "TcpLedbat"})
    {
        flows.push_back({control, "true", {0.03, 0.04}, {5e6, 6e6}});
        flows.push_back({control, "it's learned", {0.05}, {}});
    }
    EXPECT_EQ(DrawPathSpread(flows, folder.Path()).size(), filesOfFigure);
    ExpectFigure(folder / "path-spread");
    const std::string data = Contents(folder / "path-spread.csv");
    EXPECT_NE(data.find("it's learned"), std::string::npos);
    EXPECT_NE(data.find("one_way_delay_ms"), std::string::npos);
    EXPECT_TRUE(DrawPathSpread({flows.front()}, folder.Path()).empty()); // one path
}

TEST(PathFigures, SpreadsSayThatTheyAreNotToBeTrusted)
{
    const TemporaryFolder folder;
    const std::vector<PathFlow> flows{{"TcpVegas", "true", {0.03}, {5e6}},
                                      {"TcpVegas", "learned", {0.05}, {6e6}}};
    FigureChoices choices;
    choices.formats = {"svg"};
    choices.title = ""; // takes titles away, and not this
    const FigurePlace place(folder.Path(), &choices);
    DrawPathSpread(flows, place);
    EXPECT_EQ(Contents(folder / "path-spread.gp").find("Not to be trusted"), std::string::npos);
    DrawPathSpread(flows, place.WithCaution("Not to be trusted: b (the live WAN did not keep up)"));
    const auto script = Contents(folder / "path-spread.gp");
    EXPECT_NE(script.find("Not to be trusted: b (the live WAN"), std::string::npos) << script;
}

VariantSummary
RunOverPath(double seconds)
{
    VariantSummary variant;
    variant.summary.metrics = {{"iteration_time", seconds, "s"}};
    return variant;
}

TEST(PathFigures, PopulationsAreByTheNamesOfTheirPaths)
{
    const TemporaryFolder folder;
    Comparison comparison{{"mtu", "wan_link[0].learned"}, {}};
    for (const std::string path : {"brazil/path-1.pb", "brazil/path-12.pb", "cellular-china-3"})
    {
        comparison.variants.push_back(RunOverPath(1));
        comparison.variants.back().values = {"1500", path};
    }
    EXPECT_EQ(DrawPathPopulation(comparison, folder.Path()).size(), filesOfFigure);
    const std::string data = Contents(folder / "path-population.csv");
    EXPECT_NE(data.find("brazil/path,"), std::string::npos) << data;
    EXPECT_NE(data.find("cellular-china,"), std::string::npos) << data;
    comparison.variants.pop_back();
    EXPECT_TRUE(DrawPathPopulation(comparison, folder.Path()).empty()); // two are no population
    EXPECT_TRUE(DrawPathPopulation({{"mtu"}, {}}, folder.Path()).empty());
}

TEST(PathFigures, DelaysAndLossesAreCurves)
{
    const TemporaryFolder folder;
    const CurvePoints measured{{0, 0.03}, {1, 0.05}, {2, 0.04}};
    EXPECT_EQ(DrawDelayOverTime(measured, {{0, 0.031}}, folder.Path()).size(), filesOfFigure);
    ExpectFigure(folder / "delay-over-time");
    EXPECT_TRUE(DrawDelayOverTime({}, {}, folder.Path()).empty());
    EXPECT_EQ(DrawTrainingLoss({0.5, 0.25}, {0.6, 0.3}, folder.Path()).size(), filesOfFigure);
    ExpectFigure(folder / "training-loss");
    EXPECT_TRUE(DrawTrainingLoss({}, {}, folder.Path()).empty());
}

} // namespace
} // namespace geotrain
