// SPDX-License-Identifier: GPL-2.0-only
// Code behind the loader reads no raw text of a scenario: everything comes as typed values.
#include "figures/declared-figures.h"
#include "schema/scenario.pb.h"
#include "units/text-file.h"

#include "small-scenario.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>

namespace geotrain
{
namespace
{

namespace fs = std::filesystem;

/// Returns the names of the sources in `folder` that contain `pattern`.
std::set<std::string>
SourcesWith(const std::string& folder, const std::string& pattern)
{
    const std::regex expression(pattern);
    std::set<std::string> found;
    for (const auto& entry :
         fs::directory_iterator(fs::path(GEOTRAIN_SOURCE_DIR) / "scenarios" / folder))
    {
        const auto ending = entry.path().extension();
        if ((ending == ".cc" || ending == ".h") &&
            std::regex_search(ReadTextFile(entry.path().string()), expression))
        {
            found.insert(entry.path().filename().string());
        }
    }
    return found;
}

using Names = std::set<std::string>;

TEST(TypedSettings, NobodyBehindTheLoaderReadsFieldsOfTheResolvedScenario)
{
    const std::string raw = "resolved(\\.|->)|scenario\\.pb\\.h";
    for (const char* folder : {"runner", "plan-study", "comparison", "cli"})
    {
        EXPECT_EQ(SourcesWith(folder, raw), Names()) << folder;
    }
    EXPECT_NE(SourcesWith("loader", raw), Names()); // the pattern finds something
}

TEST(TypedSettings, QuantitiesAreParsedByTheLoaderAndOfTheCommandLine)
{
    const std::string parse = "Parse(Duration|Bytes|BitRate)\\(";
    EXPECT_EQ(SourcesWith("runner", parse), Names());
    EXPECT_EQ(SourcesWith("plan-study", parse), Names());
    EXPECT_EQ(SourcesWith("comparison", parse), Names());
}

TEST(TypedSettings, NobodyComparesTheNameOfANetworksKind)
{
    const std::string comparison =
        "[=!]= \"(packet|analytic)\"|Network(::|_Kind_)(PACKET|ANALYTIC)";
    for (const char* folder : {"loader", "runner", "plan-study", "comparison", "cli"})
    {
        EXPECT_EQ(SourcesWith(folder, comparison), Names()) << folder;
    }
}

TEST(TypedSettings, AreWhatTheScenarioSays)
{
    const auto loaded = LoadSmall({"run.seed=7",
                                   "run.deadline=2s",
                                   "run.all_reduce_fidelity=ANALYTIC",
                                   "run.network=ANALYTIC",
                                   "transport.window=3MB",
                                   "transport.connections=5",
                                   "wan_link[0].queue=0.5bdp"});
    EXPECT_EQ(loaded.run.seed, 7u);
    EXPECT_EQ(loaded.run.deadline, Duration::Seconds(2));
    EXPECT_FALSE(loaded.run.collectivesOverNetwork);
    EXPECT_EQ(loaded.run.network->name, "analytic");
    EXPECT_FALSE(loaded.run.network->hasPackets);
    EXPECT_EQ(loaded.testbed.transport.window, Bytes::Of(3000000));
    EXPECT_EQ(loaded.testbed.transport.connections, 5u);
    EXPECT_EQ(loaded.testbed.linkQueues, std::vector<std::string>{"0.5bdp"});
    EXPECT_EQ(loaded.jobs[0].cluster.transport.connection.window, loaded.testbed.transport.window);
    EXPECT_EQ(loaded.jobs[0].cluster.transport.connections, loaded.testbed.transport.connections);
}

TEST(TypedSettings, PacingIsAKindOrTrueOrFalse)
{
    struct Case
    {
        const char* text;
        bool pacing;
        bool singlePackets;
    };
    for (const Case& tried : {Case{"AUTO", true, false},
                              Case{"true", true, false},
                              Case{"NONE", false, false},
                              Case{"false", false, false},
                              Case{"FQ", true, true}})
    {
        const auto tcp =
            LoadSmall({std::string("transport.pacing=") + tried.text}).testbed.transport.tcp;
        EXPECT_EQ(tcp.pacing, tried.pacing) << tried.text;
        EXPECT_EQ(tcp.pacesSinglePackets, tried.singlePackets) << tried.text;
    }
    EXPECT_EQ(LoadSmall({}).testbed.transport.tcp.pacing, std::nullopt);
}

/// Expects that the values of `Enumeration` are those of the schema from the first one after
/// UNSPECIFIED on.
template <typename Enumeration>
void
ExpectOrder(int first, const std::vector<Enumeration>& values)
{
    for (const Enumeration value : values)
    {
        EXPECT_EQ(EnumOf<Enumeration>(first), value) << first;
        EXPECT_EQ(WrittenAs<int>(value), first);
        ++first;
    }
}

TEST(TypedSettings, EnumerationsHaveTheOrderOfTheSchema)
{
    using Acknowledgement = AggregationSettings::Acknowledgement;
    using Distribution = JitterSettings::Distribution;
    using Threads = OptimizerServerSettings::Threads;
    ExpectOrder<Precision>(
        scenario::FP32,
        {Precision::Fp32, Precision::Tf32, Precision::Bf16, Precision::Fp16, Precision::Fp8});
    EXPECT_EQ(EnumOf<Precision>(scenario::BF16), Precision::Bf16);
    ExpectOrder<Attention>(scenario::FUSED, {Attention::Fused, Attention::Unfused});
    EXPECT_EQ(EnumOf<Attention>(scenario::FUSED_CAUSAL), Attention::FusedCausal);
    ExpectOrder<Recomputation>(scenario::NONE, {Recomputation::None, Recomputation::Selective});
    EXPECT_EQ(EnumOf<Recomputation>(scenario::FULL), Recomputation::Full);
    ExpectOrder<CrossDc>(scenario::STAGES, {CrossDc::Pipeline, CrossDc::ReplicasFlat});
    EXPECT_EQ(EnumOf<CrossDc>(scenario::REPLICAS_HIERARCHICAL), CrossDc::ReplicasHierarchical);
    ExpectOrder<WanSharing>(scenario::SPATIAL, {WanSharing::Spatial});
    EXPECT_EQ(EnumOf<WanSharing>(scenario::TEMPORAL), WanSharing::Temporal);
    ExpectOrder<WanRouting>(scenario::DIRECT, {WanRouting::Direct, WanRouting::LeastDelay});
    EXPECT_EQ(EnumOf<WanRouting>(scenario::WIDEST), WanRouting::Widest);
    ExpectOrder<ParallelLinks>(scenario::SHARE, {ParallelLinks::Share, ParallelLinks::First});
    ExpectOrder<PlacementPolicy>(scenario::FIFO,
                                 {PlacementPolicy::Fifo, PlacementPolicy::EarliestDeadline});
    EXPECT_EQ(EnumOf<PlacementPolicy>(scenario::STRICT), PlacementPolicy::Strict);
    ExpectOrder<Preemption>(scenario::CONTINUE, {Preemption::Continue, Preemption::Restart});
    EXPECT_EQ(EnumOf<Preemption>(scenario::INSTANT), Preemption::Instant);
    ExpectOrder<Acknowledgement>(scenario::InNetwork::HEARTBEAT,
                                 {Acknowledgement::Heartbeat, Acknowledgement::EachPacket});
    EXPECT_EQ(EnumOf<Acknowledgement>(scenario::InNetwork::RESULT), Acknowledgement::Result);
    EXPECT_EQ(EnumOf<Threads>(scenario::InNetwork::LAYER_CENTRIC), Threads::LayerCentric);
    EXPECT_EQ(EnumOf<Distribution>(scenario::Jitter::NORMAL), Distribution::Normal);
    ExpectOrder<SampledQuantity>(scenario::SamplePanel::WINDOW,
                                 {SampledQuantity::Window, SampledQuantity::RoundTrip});
    EXPECT_EQ(EnumOf<SampledQuantity>(scenario::SamplePanel::RATE), SampledQuantity::Rate);
    EXPECT_EQ(EnumOf<FigureContent>(scenario::Figure::TTFT), FigureContent::Ttft);
}

} // namespace
} // namespace geotrain
