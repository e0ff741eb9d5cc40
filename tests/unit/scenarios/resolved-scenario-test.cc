// What the loader makes of a scenario, and that the resolved one stands by itself.
#include "small-scenario.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace geotrain
{

namespace
{

// Printed, loaded from the text alone, and printed again.
void
ExpectFixpoint(const LoadedScenario& loaded)
{
    const auto first = PrintScenario(loaded.resolved);
    const auto again = LoadScenario({"again.textproto", "/nowhere", first});
    EXPECT_EQ(PrintScenario(again.resolved), first);
}

TEST(ResolvedScenario, LoadsToItself)
{
    ExpectFixpoint(LoadSmall());
    ExpectFixpoint(LoadSmall({"sharing=TEMPORAL", "run.compute_jitter=0.05"}));
    ExpectFixpoint(LoadSmall({"wan_link[0].delay=",
                              "data_center[0].region=eastus",
                              "data_center[1].region=westeurope"}));
    ExpectFixpoint(
        LoadSmall({"wan_link[0].queue_disc=FqCoDelQueueDisc", "wan_link[0].queue=100packets"}));
}

TEST(ResolvedScenario, OfEachLibraryScenarioLoadsToItself)
{
    for (const auto& entry : ScenarioLibrary())
    {
        SCOPED_TRACE(entry.name);
        ExpectFixpoint(LoadScenario(ReadScenarioText(entry.name)));
    }
}

TEST(ResolvedScenario, HasLayersCellsAndTurnsWrittenOut)
{
    const auto resolved = LoadSmall().resolved;
    EXPECT_EQ(resolved.parallelism().layers_per_stage_size(), 2);
    EXPECT_EQ(resolved.parallelism().cell_size(), 2);
    EXPECT_EQ(resolved.temporal_sharing().turn_latency(), "10us");
    EXPECT_EQ(resolved.data_center(0).intra_rate(), "100Gbps");
    EXPECT_EQ(resolved.model().transformer().ffn_width(), 1024);
}

TEST(ResolvedScenario, HoldsAMeasuredProfileInPlace)
{
    const auto folder = std::filesystem::path(testing::TempDir());
    std::ofstream(folder / "profile.csv")
        << "layer,microbatch,tp,forward_ms,backward_input_ms,backward_weight_ms\n"
           "0,1,1,1,2,3\n1,1,1,1,2,3\n2,1,1,1,2,3\n3,1,1,1,2,3\n";
    const auto loaded = LoadScenario({"small.textproto", folder, SmallScenarioText()},
                                     {{"model.profile=profile.csv", "--set"}});
    EXPECT_EQ(loaded.training.timing[0].forward, Duration::Milliseconds(2));
    EXPECT_EQ(loaded.training.timing[1].Backward(), Duration::Milliseconds(10));
    ExpectFixpoint(loaded);
}

TEST(ResolvedScenario, HoldsAHuggingFaceModelInPlace)
{
    const auto folder = std::filesystem::path(testing::TempDir());
    std::ofstream(folder / "config.json")
        << R"({"model_type": "gpt2", "n_layer": 4, "n_embd": 256, "n_head": 4, "vocab_size": 1000,
               "n_positions": 512})";
    const auto loaded = LoadScenario({"small.textproto", folder, SmallScenarioText()},
                                     {{"model.hugging_face_config=config.json", "--set"}});
    EXPECT_EQ(loaded.resolved.model().transformer().max_context(), 512);
    ExpectFixpoint(loaded);
}

TEST(ResolvedScenario, HoldsAnImportedTopologyInPlace)
{
    const std::string path = std::string(GEOTRAIN_SHARED_DATA) + "/topologies/zoo_Abilene.gml";
    if (!std::filesystem::exists(path))
    {
        GTEST_SKIP() << "no " << path;
    }
    auto text = AsText(SmallScenarioText());
    text.folder = std::filesystem::path(path).parent_path();
    const auto loaded = LoadScenario(text,
                                     {{"wan_link=", ""},
                                      {"topology_import.file=zoo_Abilene.gml", ""},
                                      {"data_center[0].at=Seattle", ""},
                                      {"data_center[1].at=New York", ""}});
    EXPECT_EQ(loaded.topology.sites.size(), 11U);
    EXPECT_EQ(loaded.topology.links.size(), 14U);
    ExpectFixpoint(loaded);
}

TEST(ResolvedScenario, ADataCentreTakesThePlaceOfItsSite)
{
    auto text = SmallScenarioText();
    text += "transit_site { name: \"X\" latitude: 0 longitude: 0 }\n"
            "transit_site { name: \"b\" latitude: 0 longitude: 9 }\n";
    const auto loaded = LoadScenario(
        AsText(text),
        {{"wan_link[0].from=X", ""}, {"wan_link[0].delay=", ""}, {"data_center[0].at=X", ""}});
    ASSERT_EQ(loaded.topology.sites.size(), 2U);
    EXPECT_EQ(loaded.topology.links[0].from, 0U);
    EXPECT_EQ(loaded.topology.links[0].to, 1U);
    // Great circle of 9 degrees at 6,371 km and 200,000 km/s: 5.004 ms.
    EXPECT_NEAR(
        loaded.topology.links[0].delay.ToSeconds(), 9.0 / 180 * 3.14159265 * 6371.0 / 200000, 1e-6);
}

TEST(ResolvedScenario, StagesFillDataCentresInTheirOrder)
{
    const auto loaded = LoadSmall({"data_center[0].stages=", "data_center[1].stages="});
    EXPECT_EQ(loaded.training.placement.dataCenterOfStage, (std::vector<std::uint32_t>{0, 1}));
}

} // namespace

} // namespace geotrain
