// The library's three data centres with prefills, over packets.

#include "loader/scenario-loader.h"
#include "runner/run.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace geotrain
{
namespace
{

TEST(ThreeDataCenters, AreFilledToNineTenthsOverPackets)
{
    RunOptions options;
    options.folder = std::filesystem::path(testing::TempDir()) / "three-data-centers";
    std::filesystem::remove_all(options.folder);
    std::filesystem::create_directories(options.folder);
    const auto loaded =
        LoadScenario(ReadScenarioText("three-dc-bubbletea"), {{"run.network=PACKET", "--set"}});
    const Summary summary = geotrain::Run(loaded, options);
    EXPECT_GE(*summary.Find("total_utilization"), 0.90);
    EXPECT_EQ(*summary.Find("training_held"), 0);
    EXPECT_EQ(*summary.Find("iteration_time"), *summary.Find("iteration_time_without"));
}

} // namespace
} // namespace geotrain
