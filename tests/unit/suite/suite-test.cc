// SPDX-License-Identifier: GPL-2.0-only
// Tests the list of the paper's figures: each has its runs, every run is a valid scenario, and the
// suite keeps to its time.
#include "suite/paper-sets.h"
#include "suite/suite-drawing.h"
#include "units/config-error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace geotrain
{

namespace
{

std::set<std::string>
NamesOfSets(const Suite& suite)
{
    std::set<std::string> names;
    for (const auto& set : suite.runSets)
    {
        EXPECT_TRUE(names.insert(set.name).second) << set.name;
    }
    return names;
}

TEST(PaperSuite, HasTheFiguresOfThePaper)
{
    std::set<std::string> names;
    for (const auto& figure : PaperSuite(true).figures)
    {
        EXPECT_TRUE(names.insert(figure.name).second) << figure.name;
        EXPECT_FALSE(figure.question.empty()) << figure.name;
        EXPECT_FALSE(figure.reading.empty()) << figure.name;
    }
    for (const auto* name :
         {"connections-rtt",        "iteration-rtt",          "timelines",
          "schedules-microbatches", "schedules-ratio",        "utilization-causes",
          "plan-gpus",              "utilization-ttft",       "ttft-cdf",
          "fill-flops",             "fill-gain",              "goodput-rtt",
          "goodput-loss",           "completion-cdf",         "iteration-map",
          "window-time",            "wan-sharing",            "sharing-memory",
          "analytic-packets",       "utilization-objective"})
    {
        EXPECT_EQ(names.count(name), 1U) << name;
    }
}

TEST(PaperSuite, EveryFigureHasItsRunsAndEverySetAFigure)
{
    for (const bool quick : {true, false})
    {
        const auto suite = PaperSuite(quick);
        auto unused = NamesOfSets(suite);
        const auto sets = unused;
        for (const auto& figure : suite.figures)
        {
            for (const auto& set : figure.runSets)
            {
                EXPECT_EQ(sets.count(set), 1U) << figure.name << " " << set;
                unused.erase(set);
            }
        }
        EXPECT_TRUE(unused.empty()) << *unused.begin();
    }
}

TEST(PaperSuite, EveryRunIsAValidScenario)
{
    for (const bool quick : {true, false})
    {
        for (const auto& set : PaperSuite(quick).runSets)
        {
            const auto text = ReadScenarioText(set.scenario);
            std::set<std::string> names;
            for (const auto& variant : PlansOf(set).variants)
            {
                EXPECT_TRUE(names.insert(variant.name).second) << variant.name;
                EXPECT_NO_THROW(LoadScenario(text, variant.assignments))
                    << set.name << " " << variant.name;
            }
        }
    }
}

TEST(PaperSuite, KeepsToItsTime)
{
    const auto cpuMinutes = [](bool quick)
    {
        double seconds = 0;
        for (const auto& set : PaperSuite(quick).runSets)
        {
            seconds += set.cpuSeconds * static_cast<double>(RunsOf(set));
        }
        return seconds / 60;
    };
    EXPECT_LT(cpuMinutes(true), 9.0);    // 4.5 min of two cores, and the figures' time: under 6
    EXPECT_LT(cpuMinutes(false), 75.0);  // 38 min of two cores: under 60 on slower ones too
}

TEST(PaperSuite, WholeHasAtLeastTheRunsOfQuick)
{
    const auto quick = PaperSuite(true);
    const auto whole = PaperSuite(false);
    ASSERT_EQ(quick.runSets.size(), whole.runSets.size());
    for (std::size_t i = 0; i < quick.runSets.size(); ++i)
    {
        EXPECT_EQ(quick.runSets[i].name, whole.runSets[i].name);
        EXPECT_GE(RunsOf(whole.runSets[i]), RunsOf(quick.runSets[i])) << quick.runSets[i].name;
    }
}

TEST(OnlyFigures, BringTheirRunsAlong)
{
    const auto only = OnlyFigures(PaperSuite(true), {"goodput-rtt"});
    ASSERT_EQ(only.figures.size(), 1U);
    ASSERT_EQ(only.runSets.size(), 1U);
    EXPECT_EQ(only.runSets[0].name, "controls-rtt");
}

TEST(OnlyFigures, RefuseAnUnknownNameAndNameTheNearest)
{
    try
    {
        OnlyFigures(PaperSuite(true), {"goodput-rt"});
        FAIL();
    }
    catch (const ConfigError& error)
    {
        EXPECT_NE(std::string(error.what()).find("goodput-rtt"), std::string::npos) << error.what();
    }
}

TEST(RunSet, SeriesComeAfterPoints)
{
    RunSet set;
    set.series = {{"a", "A", {"mtu=1500"}}};
    set.points = PointsAt({"20ms", "40ms"}, {"wan_link[*].delay"});
    set.sets = {"mtu=9000"};
    const auto plans = PlansOf(set);
    ASSERT_EQ(plans.variants.size(), 2U);
    EXPECT_EQ(plans.variants[1].name, "a_40ms");
    EXPECT_EQ(set.points[1].x, 40);
    const auto& made = plans.variants[1].assignments;
    EXPECT_EQ(made[made.size() - 3].text, "mtu=9000");
    EXPECT_EQ(made[made.size() - 2].text, "wan_link[*].delay=40ms");
    EXPECT_EQ(made.back().text, "mtu=1500");
}

TEST(Ratio, IsTakenWhereBothCurvesHaveAPoint)
{
    const auto ratio = Ratio({"a", {{1, 6}, {2, 8}}, {}}, {"b", {{2, 4}, {3, 5}}, {}}, "a / b");
    EXPECT_EQ(ratio.points, (CurvePoints{{2, 2}}));
}

} // namespace

} // namespace geotrain
