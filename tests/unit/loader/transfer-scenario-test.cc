// SPDX-License-Identifier: GPL-2.0-only
// Tests what the loader takes, fills in and refuses in scenarios of bulk messages instead of
// training, cross traffic and grids.
#include "comparison/variants.h"
#include "schema/scenario.pb.h"

#include "small-scenario.h"

#include <gtest/gtest.h>

namespace geotrain
{

namespace
{

const std::string bulk = R"(
data_center { name: "a" nodes: 2 }
data_center { name: "b" nodes: 1 }
transit_site { name: "x" }
wan_link { from: "a" to: "x" rate: "10Gbps" delay: "10ms" }
wan_link { from: "x" to: "b" rate: "5Gbps" delay: "10ms" }
transport { bearer: EXPRESS }
transfer { size: "8MB" }
)";

TEST(TransferScenario, NeedsNeitherModelNorGpu)
{
    const auto loaded = LoadScenario(AsText(bulk));
    ASSERT_TRUE(loaded.transfer);
    EXPECT_EQ(loaded.transfer->source, 0U);
    EXPECT_EQ(loaded.transfer->destination, 2U);
    EXPECT_EQ(loaded.provenance.resolved->transfer().from(), "a");
    EXPECT_EQ(loaded.provenance.resolved->transfer().to(), "b");
    EXPECT_EQ(loaded.provenance.resolved->transfer().messages(), 100);
}

TEST(TransferScenario, ResolvesToItself)
{
    const auto text = bulk + R"(cross_traffic { from: "x" to: "b" load: 0.2 })";
    const auto once = PrintScenario(
        *LoadScenario(AsText(text), {{"transfer.rival=TcpBbr", ""}}).provenance.resolved);
    EXPECT_NE(once.find("ns3::TcpBbr"), std::string::npos);
    EXPECT_EQ(PrintScenario(*LoadScenario(AsText(once)).provenance.resolved), once);
}

TEST(TransferScenario, TheNicsQueueHoldsTwoWindowsOfAllConnections)
{
    const auto loaded =
        LoadScenario(AsText(bulk), {{"transport.connections=8", ""}, {"transport.window=4MB", ""}});
    EXPECT_EQ(loaded.testbed.wan.portQueue.Count(), 2 * 8 * 4000000);
}

TEST(TransferScenario, TrainingStillNeedsItsGpus)
{
    EXPECT_EQ(ErrorOfText(R"(
        model { catalogue: "llama3-8b" }
        data_center { name: "a" nodes: 2 })"),
              "small.textproto: data_center[0].gpu: must be set");
}

TEST(TransferScenario, RefusesWhatDoesNotFit)
{
    const std::pair<const char*, const char*> broken[] = {
        {"model.catalogue=llama3-8b", "model: must not be set with transfer"},
        {"schedule.name=gpipe", "schedule: must not be set with transfer"},
        {"run.network=ANALYTIC", "transfer: needs run.network PACKET"},
        {"transfer.size=0B", "transfer.size"},
        {"transfer.messages=0", "transfer.messages"},
        {"transfer.from=c", "transfer.from: \"c\""},
        {"transfer.from=b", "transfer.to: \"b\" must be another data centre"},
        {"transfer.to=x", "transfer.to: \"x\""},
        {"transfer.rival=TcpTahiti", "transfer.rival: \"TcpTahiti\""},
        {"transfer.rival=ns3::Node", "transfer.rival: \"ns3::Node\""},
        {"transport.congestion_control=TcpTahiti", "transport.congestion_control"},
        {"transport.congestion_control=ns3::Node", "transport.congestion_control"},
        {"mtu=575", "mtu: \"575\" must be"},
        {"mtu=65536", "mtu: \"65536\" must be"},
        {"wan_link[0].queue=0bdp", "wan_link[0].queue"},
        {"wan_link[0].queue=0B", "wan_link[0].queue"},
        {"wan_link[0].loss=1.1", "wan_link[0].loss"},
        {"wan_link[0].loss=-0.1", "wan_link[0].loss"},
    };
    for (const auto& [set, says] : broken)
    {
        const auto error = ErrorOfText(bulk, {set});
        EXPECT_NE(error.find(says), std::string::npos) << set << ": " << error;
        EXPECT_EQ(error.find('\n'), std::string::npos) << set;
    }
}

TEST(TransferScenario, ARivalNeedsTheExpressBearer)
{
    EXPECT_EQ(
        ErrorOfText(bulk, {"transfer.rival=TcpCubic", "transport.bearer=STOCK"}),
        "small.textproto: transfer.rival: \"geotrain::TcpCubic\" needs transport.bearer EXPRESS");
    EXPECT_EQ(
        ErrorOfText(bulk, {"transfer.rival=TcpBbr", "transport.ecn=true"}),
        "small.textproto: transport.ecn: \"true\" needs a congestion control that answers marks, "
        "which ns3::TcpBbr does not");
}

TEST(TransferScenario, ColdConnectionsAreCounted)
{
    EXPECT_EQ(ErrorOfText(bulk, {"transfer.cold=true", "transport.connections=1000"}), "");
    EXPECT_NE(
        ErrorOfText(bulk,
                    {"transfer.cold=true", "transport.connections=1000", "transfer.messages=101"}),
        "");
}

TEST(CrossTrafficSection, LoadIsAShareOfTheSlowestLink)
{
    const auto loaded =
        LoadScenario(AsText(bulk + R"(cross_traffic { from: "a" to: "b" load: 0.2 })"));
    ASSERT_EQ(loaded.crossTraffic.size(), 1U);
    const auto& pair = loaded.crossTraffic.front();
    EXPECT_DOUBLE_EQ(pair.steps.at(0).bitsPerSecond, 0.2 * 5e9);
    EXPECT_DOUBLE_EQ(pair.load, 0.2);
    EXPECT_EQ(pair.name, "0/a-b");
    EXPECT_EQ(pair.congestionControl, "geotrain::TcpCubic");
}

TEST(CrossTrafficSection, AMatrixGivesEachPairItsSteps)
{
    const auto loaded = LoadScenario(AsText(bulk + R"(cross_traffic { scale: 2
        matrix_line: "time_s,from,to,rate_bps"
        matrix_line: "0,a,b,1e9" matrix_line: "5,x,b,1e8" matrix_line: "10,a,b,2e9" })"));
    ASSERT_EQ(loaded.crossTraffic.size(), 2U);
    const auto& first = loaded.crossTraffic[0];
    ASSERT_EQ(first.steps.size(), 2U);
    EXPECT_DOUBLE_EQ(first.steps[1].bitsPerSecond, 4e9);
    EXPECT_EQ(first.steps[1].at, Duration::Seconds(10));
    const auto& second = loaded.crossTraffic[1];
    ASSERT_EQ(second.steps.size(), 2U); // nothing until 5 s
    EXPECT_EQ(second.steps[0].bitsPerSecond, 0);
}

TEST(CrossTrafficSection, RefusesWhatDoesNotFit)
{
    const std::string head = R"(matrix_line: "time_s,from,to,rate_bps" )";
    const std::pair<std::string, const char*> broken[] = {
        {R"(from: "a" to: "b")", "must have exactly one of"},
        {R"(from: "a" to: "b" load: 0.1 )" + head, "must have exactly one of"},
        {R"(from: "a" to: "a" load: 0.1)", "must be another site"},
        {R"(from: "a" to: "q" load: 0.1)", "cross_traffic[0].to: \"q\""},
        {R"(from: "a" to: "b" load: -1)", "cross_traffic[0].load"},
        {R"(from: "a" to: "b" load: 0.1 shape: 1)", "cross_traffic[0].shape"},
        {R"(from: "a" to: "b" load: 0.1 congestion_control: "ns3::Node")", "congestion_control"},
        {R"(matrix: "nowhere.csv")", "is no file"},
        {head, "must begin with the line"},
        {head + R"(matrix_line: "0,a,b")", "four cells"},
        {head + R"(matrix_line: "0,a,b,x")", "rate_bps: \"x\" must be a number"},
        {head + R"(matrix_line: "0,a,b,nan")", "rate_bps: \"nan\" must be a number"},
        {head + R"(matrix_line: "0,a,c,1")", "to: \"c\""},
        {head + R"(matrix_line: "3,a,b,1" matrix_line: "3,a,b,2")", "must be later"},
        {head + R"(from: "a" matrix_line: "0,a,b,1")",
         "cross_traffic[0].from: \"a\" must not be set with cross_traffic[0].matrix_line"},
    };
    for (const auto& [fields, says] : broken)
    {
        const auto error = ErrorOfText(bulk + "cross_traffic { " + fields + " }");
        EXPECT_NE(error.find(says), std::string::npos) << fields << ": " << error;
    }
    EXPECT_NE(ErrorOfText(bulk + R"(cross_traffic { from: "a" to: "b" load: 0.1 })",
                          {"transport.bearer=STOCK"})
                  .find("needs transport.bearer EXPRESS"),
              std::string::npos);
}

TEST(Grids, MultiplyAndAddUp)
{
    const auto text = bulk + R"(
        grid { vary: "transport.connections=1,2" vary: "wan_link[0].loss=0,0.1" set: "mtu=9000" }
        grid { vary: "transfer.cold=true" }
        grid { vary: "run.seed=1,2,3" full: true })";
    const auto plans = PlanVariants(AsText(text), {});
    ASSERT_EQ(plans.variants.size(), 5U);
    EXPECT_EQ(plans.variants[3].name, "connections=2_loss=0.1");
    const auto loaded = LoadScenario(AsText(text), plans.variants[3].assignments);
    EXPECT_EQ(loaded.provenance.resolved->mtu(), 9000);
    EXPECT_EQ(loaded.provenance.resolved->grid_size(), 0);
    VariantRequest full;
    full.full = true;
    EXPECT_EQ(PlanVariants(AsText(text), full).variants.size(), 8U);
}

TEST(Grids, SayWhereTheyAreWrong)
{
    try
    {
        PlanVariants(AsText(bulk + R"(grid { vary: "transport.konnections=1,2" })"), {});
        FAIL();
    }
    catch (const ConfigError& error)
    {
        EXPECT_NE(std::string(error.what()).find("grid[0].vary[0]"), std::string::npos)
            << error.what();
    }
}

} // namespace

} // namespace geotrain
