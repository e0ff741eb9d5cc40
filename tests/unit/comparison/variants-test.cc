// SPDX-License-Identifier: GPL-2.0-only
// Plans variants: grids, products, names and titles, and which assignments each one makes.
#include "comparison/variants.h"

#include "comparison/path-folders.h"
#include "comparison/variant-title.h"
#include "result-folders.h"
#include "small-scenario.h"
#include "temporary-folder.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace geotrain
{

namespace
{

VariantPlans
PlansOf(const std::string& more, const VariantRequest& request = {})
{
    return PlanVariants(AsText(SmallScenarioText() + more), request);
}

VariantRequest
Varying(const std::vector<std::string>& varies)
{
    VariantRequest request;
    request.varies = varies;
    return request;
}

std::vector<std::string>
NamesOf(const VariantPlans& plans)
{
    std::vector<std::string> names;
    for (const auto& variant : plans.variants)
    {
        names.push_back(variant.name);
    }
    return names;
}

std::vector<std::string>
TitlesOf(const VariantPlans& plans)
{
    std::vector<std::string> titles;
    for (const auto& variant : plans.variants)
    {
        titles.push_back(variant.title);
    }
    return titles;
}

bool
Assigns(const VariantPlan& variant, const std::string& text)
{
    return std::any_of(variant.assignments.begin(),
                       variant.assignments.end(),
                       [&](const Assignment& one) { return one.text == text; });
}

using Names = std::vector<std::string>;

TEST(PlanVariants, NotesWhichVariantsASetDoesNotReach)
{
    VariantRequest request;
    request.sets = {"mtu=9000", "transport.connections=3"};
    const auto plans = PlansOf(R"(
variant { name: "one" set: "transport.connections=1" }
variant { name: "two" set: "sharing=SPATIAL" }
variant { name: "ten" set: "transport.connections=10" }
)",
                               request);
    EXPECT_EQ(plans.notes,
              std::vector<std::string>{"--set transport.connections=3 does not reach variants that "
                                       "set it themselves: one, ten"});
}

TEST(VariantPlanning, TheLastVariedPathChangesFirst)
{
    const auto plans = PlansOf("", Varying({"mtu=1500,9000", "model.microbatches=2,4"}));
    EXPECT_EQ(NamesOf(plans),
              (Names{"mtu=1500_microbatches=2",
                     "mtu=1500_microbatches=4",
                     "mtu=9000_microbatches=2",
                     "mtu=9000_microbatches=4"}));
    EXPECT_EQ(plans.variedPaths, (Names{"mtu", "model.microbatches"}));
}

TEST(VariantPlanning, CommasInBracketsAndQuotesPartNoValues)
{
    const std::pair<const char*, Names> cases[] = {
        {"name=x", {"x"}},
        {"name=x,y", {"x", "y"}},
        {"model.microbatches=1..3,8", {"1", "2", "3", "8"}},
        {"name=a..b,1...2", {"a..b", "1...2"}}, // no ranges
        {"name=\"x,y\",z", {"\"x,y\"", "z"}},
        {"parallelism.layers_per_stage=[2, 2],[3, 1]", {"[2, 2]", "[3, 1]"}},
        {"wan_link[0].outage={begin: \"1s\", end: \"2s\"},{begin: \"3s\", end: \"4s\"}",
         {"{begin: \"1s\", end: \"2s\"}", "{begin: \"3s\", end: \"4s\"}"}}};
    for (const auto& [vary, values] : cases)
    {
        const auto plans = PlansOf("", Varying({vary}));
        ASSERT_EQ(plans.variants.size(), values.size()) << vary;
        for (std::size_t i = 0; i < values.size(); ++i)
        {
            EXPECT_EQ(plans.variants[i].values, Names{values[i]}) << vary;
        }
    }
}

TEST(VariantPlanning, APathVariesOnce)
{
    EXPECT_EQ(ErrorText(
                  [] {
                      PlansOf("", Varying({"mtu=1500", "mtu=9000"}));
                  }),
              "--vary: \"mtu=9000\" varies mtu a second time; one list has all values");
}

// 101 x 100 = 10,100 variants are more than 10,000.
TEST(VariantPlanning, TenThousandVariantsAreTheMost)
{
    const auto listUpTo = [](int last)
    {
        std::string list = "1";
        for (int i = 2; i <= last; ++i)
        {
            list += "," + std::to_string(i);
        }
        return list;
    };
    const auto first = "model.microbatches=" + listUpTo(101);
    const auto second = "run.seed=" + listUpTo(100);
    const auto error = ErrorText([&] { PlansOf("", Varying({first, second})); });
    EXPECT_NE(error.find("must give at most 10000 variants together"), std::string::npos) << error;
}

TEST(VariantPlanning, SettingsOfTheCommandLineComeBeforeThoseOfAVariant)
{
    VariantRequest request;
    request.sets = {"mtu=1500"};
    const auto plans = PlansOf("variant { name: \"a\" set: \"mtu=9000\" }", request);
    const auto& assignments = plans.variants[0].assignments;
    ASSERT_GE(assignments.size(), 2u);
    EXPECT_EQ(assignments[0].text, "mtu=1500");
    EXPECT_EQ(assignments[1].text, "mtu=9000"); // holds
    EXPECT_EQ(assignments[0].from, "--set");
}

// A run's scenario is one variant, and declares nothing of the comparison.
TEST(VariantPlanning, WhatRunsHasNoVariantsOfItsOwn)
{
    for (const auto* cleared :
         {"variant=", "grid=", "run.seeds=", "run.full_seeds=", "figure=", "criterion="})
    {
        EXPECT_TRUE(Assigns(PlansOf("").variants[0], cleared)) << cleared;
    }
}

TEST(VariantPlanning, VariedPathsOfTheCommandLineReplaceTheListedVariants)
{
    const auto plans = PlansOf("variant { name: \"a\" }", Varying({"mtu=1500"}));
    EXPECT_EQ(NamesOf(plans), Names{"mtu=1500"});
}

TEST(VariantPlanning, VariantsThatAreMarkedFullRunOnRequest)
{
    const std::string more = "variant { name: \"a\" }\n"
                             "variant { name: \"b\" full: true }\n"
                             "grid { name: \"g\" vary: \"mtu=1500,9000\" full: true }\n";
    EXPECT_EQ(NamesOf(PlansOf(more)), Names{"a"});
    VariantRequest request;
    request.full = true;
    EXPECT_EQ(NamesOf(PlansOf(more, request)), (Names{"a", "b", "g_mtu=1500", "g_mtu=9000"}));
}

TEST(VariantPlanning, FullSeedsReplaceTheSeedsOnRequest)
{
    const std::string more = "run { seeds: [1, 2] full_seeds: [1, 2, 3, 4] }";
    VariantRequest request;
    EXPECT_EQ(PlansOf(more, request).seeds, (std::vector<std::int64_t>{1, 2}));
    request.full = true;
    EXPECT_EQ(PlansOf(more, request).seeds, (std::vector<std::int64_t>{1, 2, 3, 4}));
    EXPECT_EQ(PlansOf("run { seeds: [1, 2] }", request).seeds, (std::vector<std::int64_t>{1, 2}));
}

const std::string twoGrids = R"(
grid { name: "short" title: "Short queues" set: "wan_link[0].queue=0.5bdp" vary: "mtu=1500,9000" }
grid { vary: "mtu=9000" vary: "model.microbatches=2" }
)";

TEST(Grids, VariantsAreNamedAndTitledByTheirGrid)
{
    const auto plans = PlansOf(twoGrids);
    EXPECT_EQ(NamesOf(plans),
              (Names{"short_mtu=1500", "short_mtu=9000", "mtu=9000_microbatches=2"}));
    EXPECT_EQ(
        TitlesOf(plans),
        (Names{"Short queues, mtu 1500", "Short queues, mtu 9000", "mtu 9000, microbatches 2"}));
}

TEST(Grids, AColumnSaysOfWhichGridAVariantIs)
{
    const auto plans = PlansOf(twoGrids);
    EXPECT_EQ(plans.variedPaths,
              (Names{"wan_link[0].queue", "mtu", "model.microbatches", gridPath}));
    EXPECT_EQ(plans.variants[0].values, (Names{"0.5bdp", "1500", "", "Short queues"}));
    EXPECT_EQ(plans.variants[2].values, (Names{"", "9000", "2", ""}));
}

TEST(Grids, WithoutNamesThereIsNoSuchColumn)
{
    EXPECT_EQ(PlansOf("grid { vary: \"mtu=1500,9000\" }").variedPaths, Names{"mtu"});
}

TEST(Grids, AGridsNameIsItsTitleWhereItHasNone)
{
    const auto plans = PlansOf("grid { name: \"g\" vary: \"mtu=1500\" }");
    EXPECT_EQ(TitlesOf(plans), Names{"g, mtu 1500"});
    EXPECT_EQ(plans.variants[0].values.back(), "g");
}

TEST(Grids, AControlIsAddedWhereControlsVaryAndLackIt)
{
    const std::string more = "grid { vary: \"transport.congestion_control=TcpCubic,TcpBbr\" }\n"
                             "grid { vary: \"mtu=9000\" }\n";
    VariantRequest request;
    request.control = "TcpVegas";
    EXPECT_EQ(NamesOf(PlansOf(more, request)),
              (Names{"congestion_control=TcpCubic",
                     "congestion_control=TcpBbr",
                     "congestion_control=TcpVegas",
                     "mtu=9000"}));
    request.control = "TcpBbr"; // is there
    EXPECT_EQ(PlansOf(more, request).variants.size(), 3u);
}

TEST(VariantNames, AreUniqueAlsoWhereTitlesOrFoldersAgree)
{
    const auto plans = PlansOf("grid { vary: \"mtu=9000\" }\ngrid { vary: \"mtu=9000\" }\n"
                               "grid { vary: \"mtu=9000\" }\n");
    EXPECT_EQ(NamesOf(plans), (Names{"mtu=9000", "mtu=9000-2", "mtu=9000-3"}));
    EXPECT_EQ(TitlesOf(plans), (Names{"mtu 9000", "mtu 9000, 2", "mtu 9000, 3"}));
}

TEST(VariantNames, HaveNothingThatAFolderMayNotHave)
{
    const auto plans = PlansOf("", Varying({"name=\"../x\",\"a\\nb\",\"$HOME\""}));
    for (const auto& variant : plans.variants)
    {
        EXPECT_EQ(variant.name.find_first_of("/\n$\\\" "), std::string::npos) << variant.name;
        EXPECT_NE(variant.name.front(), '.') << variant.name;
    }
    EXPECT_EQ(plans.variants.size(), 3u);
}

TEST(VariantTitles, SayWhatAValueIs)
{
    struct Case
    {
        Names paths;
        Names values;
        const char* title;
    };
    const Case cases[] = {
        {{"schedule.name"}, {"1f1b"}, "1f1b"},
        {{"model.catalogue"}, {"llama3-8b"}, "llama3-8b"},
        {{"data_center[0].gpu"}, {"H100"}, "H100"},
        {{"sharing"}, {"SPATIAL"}, "spatial sharing"},
        {{"transport.slow_start_after_idle"}, {"false"}, "not slow start after idle"},
        {{"transport.slow_start_after_idle"}, {"true"}, "slow start after idle"},
        {{"wan_link[0].rate"}, {"2.5Gbps"}, "rate 2.5 Gbit/s"},
        {{"wan_link[0].rate"}, {"100Mbps"}, "rate 100 Mbit/s"},
        {{"wan_link[0].delay"}, {"20ms"}, "delay 20 ms"},
        {{"wan_link[0].queue"}, {"1bdp"}, "queue 1 BDP"},
        {{"wan_link[0].queue"}, {"2MB"}, "queue 2 MB"},
        {{"wan_link[0].loss"}, {"1e-4"}, "loss 1e-4"}, // a number, and no quantity
        {{"a.rate", "b.rate"}, {"1Gbps", "X"}, "a.rate 1 Gbit/s, b.rate X"},
        {{"a.fast", "b.fast"}, {"true", "false"}, "a.fast, not b.fast"}};
    for (const auto& one : cases)
    {
        EXPECT_EQ(TitleOfValues(one.paths, one.values), one.title);
    }
}

class PathFolders : public ::testing::Test
{
  protected:
    void SetUp() override
    {
        for (const auto* name : {"path-10", "path-2", "path-1"})
        {
            WriteText(m_folder / ("paths/" + std::string(name) + ".pb"), "");
        }
        WriteText(m_folder / "paths/readme.txt", "");
        WriteText(m_folder / "none/readme.txt", "");
    }

    TemporaryFolder m_folder;
};

TEST_F(PathFolders, AFolderStandsForItsModelFilesByNumber)
{
    EXPECT_EQ(WithPathFolders("wan_link[0].learned=paths", m_folder.Path()),
              "wan_link[0].learned=paths/path-1.pb,paths/path-2.pb,paths/path-10.pb");
}

TEST_F(PathFolders, FilesAndNamesStayAmongThem)
{
    EXPECT_EQ(WithPathFolders("wan_link[1].learned=lte,paths,x.pb", m_folder.Path()),
              "wan_link[1].learned=lte,paths/path-1.pb,paths/path-2.pb,paths/path-10.pb,x.pb");
}

TEST_F(PathFolders, OtherFieldsAreNoPaths)
{
    for (const auto* vary : {"name=paths", "wan_link[0].rate_trace=paths", "learned=paths"})
    {
        EXPECT_EQ(WithPathFolders(vary, m_folder.Path()), vary);
    }
}

TEST_F(PathFolders, AFolderWithoutModelFilesIsRefused)
{
    EXPECT_EQ(ErrorText([&] { WithPathFolders("wan_link[0].learned=none", m_folder.Path()); }),
              "--vary: \"none\" is a folder without model files (*.pb)");
}

TEST_F(PathFolders, VariantsAreNamedByTheFiles)
{
    auto text = AsText(SmallScenarioText());
    text.folder = m_folder.Path();
    const auto plans = PlanVariants(text, Varying({"wan_link[0].learned=paths"}));
    EXPECT_EQ(
        NamesOf(plans),
        (Names{"learned=paths-path-1.pb", "learned=paths-path-2.pb", "learned=paths-path-10.pb"}));
}

TEST(SeedLists, RefusalsNameTheRule)
{
    const std::pair<const char*, const char*> cases[] = {
        {"x", "must be like 1..10 or 1,2,5, of numbers from 1"},
        {"1.5", "must be like 1..10 or 1,2,5, of numbers from 1"},
        {"4294967296", "must be like 1..10 or 1,2,5, of numbers from 1"}, // 2^32
        {"9..3", "must go up, by at most 10000 values"},
        {"1..10001", "must go up, by at most 10000 values"},
        {"3,1,3", "must name a seed once only"}};
    for (const auto& [text, rule] : cases)
    {
        EXPECT_EQ(ErrorText([&, seeds = text] { ParseSeeds(seeds); }),
                  std::string("--seeds: \"") + text + "\" " + rule);
    }
    EXPECT_EQ(ParseSeeds("1..10000").size(), 10000u);
    EXPECT_EQ(ParseSeeds("1..3,7"), (std::vector<std::int64_t>{1, 2, 3, 7}));
    EXPECT_EQ(ParseSeeds("4294967295"), std::vector<std::int64_t>{4294967295}); // 2^32 - 1
}

} // namespace

} // namespace geotrain
