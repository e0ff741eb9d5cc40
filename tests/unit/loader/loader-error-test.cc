// SPDX-License-Identifier: GPL-2.0-only
// Each bad input gets a message of one line with file, field, value and rule.
#include "small-scenario.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace geotrain
{

namespace
{

struct BadInput
{
    const char* name;
    std::vector<std::string> sets;
    const char* line;
};

void
PrintTo(const BadInput& bad, std::ostream* stream)
{
    *stream << bad.name;
}

class LoaderError : public testing::TestWithParam<BadInput>
{
};

TEST_P(LoaderError, IsOneLineWithFieldValueAndRule)
{
    const auto line = ErrorOfSmall(GetParam().sets);
    EXPECT_EQ(line, GetParam().line);
    EXPECT_EQ(line.find('\n'), std::string::npos);
}

const BadInput badInputs[] = {
    {"NegativeDelay",
     {"wan_link[0].delay=-3ms"},
     "small.textproto: wan_link[0].delay: \"-3ms\" must be >= 0"},
    {"AbsurdDelay",
     {"wan_link[0].delay=1h"},
     "small.textproto: wan_link[0].delay: \"1h\" must be <= 10s"},
    {"QueueDiscOnLightLinks",
     {"wan_link[0].queue_disc=FqCoDelQueueDisc"},
     "small.textproto: wan_link[0].queue_disc: \"ns3::FqCoDelQueueDisc\" is a queue disc of ns-3, "
     "which the express bearer does not have: take transport.bearer DEVICE or STOCK, or "
     "wan_link.red or codel"},
    {"RouteOverNoSite",
     {"route[0].from=a", "route[0].to=b", "route[0].via=nosuch"},
     "small.textproto: route[0].via: \"nosuch\" is no data_center or transit_site; the nearest are "
     "a, b"},
    {"RouteWithoutALink",
     {"route[0].from=a", "route[0].to=b", "route[0].via=a"},
     "small.textproto: route[0].via: \"a\" is on the route already"},
    {"RouteOverDevices",
     {"route[0].from=a", "route[0].to=b", "transport.bearer=DEVICE"},
     "small.textproto: route: is not what the device bearer can do: take transport.bearer EXPRESS"},
    {"HyStartOfStockSockets",
     {"transport.hystart=false", "transport.bearer=STOCK"},
     "small.textproto: transport.hystart: \"false\" needs transport.bearer EXPRESS or DEVICE"},
    {"PresetOfStockSockets",
     {"transport.preset=LINUX", "transport.bearer=STOCK"},
     "small.textproto: transport.preset: \"LINUX\" needs transport.bearer EXPRESS or DEVICE"},
    {"OffloadOfStockSockets",
     {"transport.offload=LINUX", "transport.bearer=STOCK"},
     "small.textproto: transport.offload: \"LINUX\" needs transport.bearer EXPRESS"},
    {"OffloadOverDevices",
     {"transport.offload=LINUX", "transport.bearer=DEVICE"},
     "small.textproto: transport.offload: \"LINUX\" needs transport.bearer EXPRESS"},
    {"OffloadPacketByPacket",
     {"transport.offload=LINUX", "transport.pacing=FQ"},
     "small.textproto: transport.offload: \"LINUX\" sends bursts, and transport.pacing FQ packet "
     "by "
     "packet"},
    {"OffloadWithAccurateEcn",
     {"transport.offload=LINUX", "transport.congestion_control=TcpPrague"},
     "small.textproto: transport.offload: \"LINUX\" merges packets, which geotrain::TcpPrague has "
     "to see "
     "one by one"},
    {"OffloadOfLedbat",
     {"transport.offload=LINUX", "transport.congestion_control=TcpLedbat"},
     "small.textproto: transport.offload: \"LINUX\" merges packets, which ns3::TcpLedbat has to "
     "see one by "
     "one"},
    {"TailLossProbeOfStockSockets",
     {"transport.tail_loss_probe=true", "transport.bearer=STOCK"},
     "small.textproto: transport.tail_loss_probe: \"true\" needs transport.bearer EXPRESS or "
     "DEVICE"},
    {"AutotuningOfStockSockets",
     {"transport.autotuning=true", "transport.bearer=STOCK"},
     "small.textproto: transport.autotuning: \"true\" needs transport.bearer EXPRESS or DEVICE"},
    {"EcnWithoutAnAnswer",
     {"transport.ecn=true", "transport.congestion_control=TcpBbr"},
     "small.textproto: transport.ecn: \"true\" needs a congestion control that answers marks, "
     "which "
     "ns3::TcpBbr does not"},
    {"TwoQueues",
     {"wan_link[0].red.ecn=true", "wan_link[0].codel.ecn=true"},
     "small.textproto: wan_link[0].codel: must not be there with red: a link has one queue"},
    {"QueueDiscBesidesRed",
     {"wan_link[0].red.ecn=true",
      "wan_link[0].queue_disc=FqCoDelQueueDisc",
      "transport.bearer=DEVICE"},
     "small.textproto: wan_link[0].queue_disc: \"ns3::FqCoDelQueueDisc\" must not be there with "
     "red: a link has one queue"},
    {"TwoOtherQueues",
     {"wan_link[0].pie.ecn=true", "wan_link[0].dualpi2.coupling=2"},
     "small.textproto: wan_link[0].dualpi2: must not be there with pie: a link has one queue"},
    {"AQueueThatStandsBeforeALightLink",
     {"wan_link[0].fq_codel={}", "transport.bearer=STOCK"},
     "small.textproto: wan_link[0].fq_codel: stands before a light link, which the stock bearer "
     "does "
     "not have: take transport.bearer EXPRESS, or a queue_disc of ns-3"},
    {"AQueueThatNoPacketTraceSees",
     {"wan_link[0].dualpi2={}", "run.packet_trace=a -> b"},
     "small.textproto: wan_link[0].dualpi2: must not be set with run.packet_trace"},
    {"AStepOfTwoThresholds",
     {"wan_link[0].step={time: \"1ms\" size: \"1MB\"}"},
     "small.textproto: wan_link[0].step: must have exactly one of time and size"},
    {"AQueueBesidesALearnedPath",
     {"wan_link[0]={from: \"a\" to: \"b\" learned: \"x.pb\" pie {}}"},
     "small.textproto: wan_link[0].pie: must not be set beside learned, which says all that the "
     "link "
     "does"},
    {"FqCoDelIntervalBelowItsTarget",
     {"wan_link[0].fq_codel.interval=1ms"},
     "small.textproto: wan_link[0].fq_codel.interval: \"1ms\" must be >= target, 5ms, and <= 10 s"},
    {"RedThresholdsTheWrongWayRound",
     {"wan_link[0].red.min_threshold=1bdp"},
     "small.textproto: wan_link[0].red.max_threshold: \"0.75\" must be more than min_threshold, "
     "and "
     "of the same unit"},
    {"RedProbabilityAboveOne",
     {"wan_link[0].red.max_probability=1.5"},
     "small.textproto: wan_link[0].red.max_probability: \"1.5\" must be <= 1"},
    {"CoDelIntervalBelowItsTarget",
     {"wan_link[0].codel.interval=1ms"},
     "small.textproto: wan_link[0].codel.interval: \"1ms\" must be >= target, 5ms, and <= 10 s"},
    {"PolicerWithoutARate",
     {"wan_link[0].policer.burst=1MB"},
     "small.textproto: wan_link[0].policer.rate: must be set"},
    {"PolicerBelowTheMtu",
     {"wan_link[0].policer.rate=1Gbps", "wan_link[0].policer.burst=1kB"},
     "small.textproto: wan_link[0].policer.burst: \"1kB\" must be >= the MTU, 1500B, and <= 1 GB"},
    {"BurstThatNeverEnds",
     {"wan_link[0].burst_loss.enter=0.1", "wan_link[0].burst_loss.leave=0"},
     "small.textproto: wan_link[0].burst_loss.leave: \"0\" must be >= 1e-06"},
    {"NegativeJitter",
     {"wan_link[0].jitter.mean=-1ms", "wan_link[0].jitter.deviation=1ms"},
     "small.textproto: wan_link[0].jitter.mean: \"-1ms\" must be >= 0"},
    {"EveryPacketTwice",
     {"wan_link[0].duplication=1"},
     "small.textproto: wan_link[0].duplication: \"1\" must be <= 0.99"},
    {"RateStepBeforeTheOneBefore",
     {"wan_link[0].rate_step[0].at=2s",
      "wan_link[0].rate_step[0].rate=1Gbps",
      "wan_link[0].rate_step[1].at=1s",
      "wan_link[0].rate_step[1].rate=1Gbps"},
     "small.textproto: wan_link[0].rate_step[1].at: \"1s\" must be >= 0, later than the step "
     "before "
     "it, and <= 100000 h"},
    {"RateStepToNothing",
     {"wan_link[0].rate_step[0].at=2s", "wan_link[0].rate_step[0].rate=0"},
     "small.textproto: wan_link[0].rate_step[0].rate: \"0\" must be >= 1kbps"},
    {"OutageThatEndsBeforeItBegins",
     {"wan_link[0].outage[0].begin=2s", "wan_link[0].outage[0].end=2s"},
     "small.textproto: wan_link[0].outage[0].end: \"2s\" must be later than begin, and <= 100000 "
     "h"},
    {"OutageWithinAnother",
     {"wan_link[0].outage[0].begin=2s",
      "wan_link[0].outage[0].end=4s",
      "wan_link[0].outage[1].begin=3s",
      "wan_link[0].outage[1].end=5s"},
     "small.textproto: wan_link[0].outage[1].begin: \"3s\" must be >= 0, and not before the end of "
     "the outage before it"},
    {"WrongUnit",
     {"wan_link[0].delay=20Gbps"},
     "small.textproto: wan_link[0].delay: \"20Gbps\" must be a time with one of the units ns, us, "
     "ms, s, min, h"},
    {"MissingUnit",
     {"data_center[1].nic_rate=100"},
     "small.textproto: data_center[1].nic_rate: \"100\" must be a rate with one of the units bps, "
     "kbps, Mbps, "
     "Gbps, Tbps; it has no unit"},
    {"ZeroRate",
     {"wan_link[0].rate=0"},
     "small.textproto: wan_link[0].rate: \"0\" must be >= 1kbps"},
    {"NotANumber",
     {"wan_link[0].loss=nan"},
     "small.textproto: wan_link[0].loss: \"nan\" must be a number"},
    {"TotalLoss",
     {"wan_link[0].loss=1"},
     "small.textproto: wan_link[0].loss: \"1\" must be <= 0.99"},
    {"NegativeMicrobatches",
     {"model.microbatches=-1"},
     "small.textproto: model.microbatches: \"-1\" must be >= 1"},
    {"AbsurdNodes",
     {"data_center[0].nodes=1000000000"},
     "small.textproto: data_center[0].nodes: \"1000000000\" must be <= 100000"},
    {"QueueOfNothing",
     {"wan_link[0].queue=0bdp"},
     "small.textproto: wan_link[0].queue: \"0bdp\" must be > 0"},
    {"QueueOfNoUnit",
     {"caps.queue=12"},
     "small.textproto: caps.queue: \"12\" must be a queue size: a number and bdp (or rtt), "
     "packets, or one of the units B, kB, MB, GB"},
    {"SmallMtu", {"mtu=100"}, "small.textproto: mtu: \"100\" must be >= 576"},
    {"UnknownGpu",
     {"data_center[0].gpu=A100"},
     "small.textproto: data_center[0].gpu: \"A100\" is no GPU; the nearest are A100-40, A100-80, "
     "H100; `geotrain list gpus` has them all"},
    {"UnknownModel",
     {"model.catalogue=llama3-9b"},
     "small.textproto: model.catalogue: \"llama3-9b\" is no model; the nearest are llama3-8b, "
     "llama3-70b, "
     "llama2-70b; `geotrain list models` has them all"},
    {"UnknownRegion",
     {"data_center[0].region=eastus3"},
     "small.textproto: data_center[0].region: \"eastus3\" is no region; the nearest are eastus, "
     "westus, "
     "uksouth; `geotrain list regions` has them all"},
    {"UnknownSchedule",
     {"schedule.name=2f2b"},
     "small.textproto: schedule.name: \"2f2b\" is no schedule; the nearest are 1f1b, zb-2p, "
     "zb-v; `geotrain list schedules` has them all"},
    {"VirtualStagesOfNone",
     {"schedule.virtual_stages=2"},
     "small.textproto: schedule: \"1f1b\" 1f1b has no virtual stages: they must be 1, not 2"},
    {"MoreVirtualStagesThanLayers",
     {"schedule.name=interleaved", "schedule.virtual_stages=4"},
     "small.textproto: parallelism.pipeline_stages: \"2\" must have 8 virtual stages, which must "
     "be "
     "<= 4, the model's layers"},
    {"MemoryCapBelowTheSchedules",
     {"schedule.name=gpipe", "schedule.memory_cap=3"},
     "small.textproto: schedule: \"gpipe\" gpipe holds 4 activations on worker 0, more than the "
     "memory cap of 3"},
    {"OrderOfOtherMicrobatches",
     {"schedule.order_row=[\"0F0,0B0\", \"1F0,1B0\"]"},
     "small.textproto: model.microbatches: \"4\" must be 1, the microbatches of the order"},
    {"IllegalOrder",
     {"model.microbatches=1", "schedule.order_row=[\"0B0,0F0\", \"1F0,1B0\"]"},
     "small.textproto: schedule.order_row: order: worker 0: the backward of microbatch 0 in stage "
     "0 "
     "comes before the forward of microbatch 0 in stage 0, which it depends on"},
    {"UnknownSite",
     {"wan_link[0].to=c"},
     "small.textproto: wan_link[0].to: \"c\" is no data_center or transit_site; the nearest are a, "
     "b"},
    {"MoreStagesThanLayers",
     {"parallelism.pipeline_stages=5"},
     "small.textproto: parallelism.pipeline_stages: \"5\" must be <= 4, the model's layers"},
    {"LayersThatDontAddUp",
     {"parallelism.layers_per_stage=[2, 1]"},
     "small.textproto: parallelism.layers_per_stage: must add up to 4, the model's layers, not 3"},
    {"StageWithoutLayers",
     {"parallelism.layers_per_stage=[4, 0]"},
     "small.textproto: parallelism.layers_per_stage[1]: \"0\" must be >= 1"},
    {"LayersOfTooManyStages",
     {"parallelism.layers_per_stage=[2, 1, 1]"},
     "small.textproto: parallelism.layers_per_stage: must have 2 entries, one for each pipeline "
     "stage, not 3"},
    {"CellThatDoesntDivide",
     {"parallelism.cell_size=3"},
     "small.textproto: parallelism.cell_size: \"3\" must divide data_parallel (2)"},
    {"CellOnOneNode",
     {"data_center[0].nodes=1", "data_center[0].gpus_per_node=2", "sharing=TEMPORAL"},
     "small.textproto: parallelism.cell_size: \"2\" must be at most the different nodes of a stage "
     "under "
     "temporal sharing: two pipelines of a cell have stage 0 on the same node"},
    {"TensorParallelBeyondANode",
     {"parallelism.tensor_parallel=2"},
     "small.textproto: parallelism.tensor_parallel: \"2\" must be <= 1, "
     "data_center[0].gpus_per_node: tensor "
     "parallelism stays in a node"},
    {"IntraRateAboveNic",
     {"data_center[0].intra_rate=200Gbps"},
     "small.textproto: data_center[0].intra_rate: \"200Gbps\" must be <= nic_rate (100Gbps)"},
    {"HeadsThatDontDivide",
     {"model.transformer.heads=3"},
     "small.textproto: model.transformer.heads: \"3\" must divide hidden (256) unless head_width "
     "is set"},
    {"KvHeadsThatDontDivide",
     {"model.transformer.kv_heads=3"},
     "small.textproto: model.transformer.kv_heads: must divide heads"},
    {"MoreExpertsPerTokenThanThereAre",
     {"model.transformer.experts.count=4",
      "model.transformer.experts.per_token=5",
      "model.transformer.experts.width=64"},
     "small.textproto: model.transformer.experts.per_token: must be from 1 to 4, not 5"},
    {"DenseLayersOfADenseModel",
     {"model.transformer.layer_group[0].dense=true"},
     "small.textproto: model.transformer.layer_group: has dense layers, which needs experts"},
    {"CapacityOfADenseModel",
     {"model.capacity_factor=1.25"},
     "small.textproto: model.capacity_factor: needs a model with experts, which transformer is "
     "not"},
    {"NoSuchFile",
     {"model.hugging_face_config=nowhere.json"},
     "small.textproto: model.hugging_face_config: \"nowhere.json\" is no file"},
    {"SelfLoop",
     {"wan_link[0].to=a"},
     "small.textproto: wan_link[0].to: \"a\" must be another site than from"},
    {"SameName",
     {"data_center[1].name=a", "wan_link[0].to=a"},
     "small.textproto: data_center[1].name: \"a\" must be the name of one entry of data_center "
     "only"},
    {"UnknownAt",
     {"data_center[1].at=Denver"},
     "small.textproto: data_center[1].at: \"Denver\" is no free site"},
    {"BadName",
     {"name=../up"},
     "small.textproto: name: \"../up\" must be 1 to 100 letters, digits and . _ + -, and not begin "
     "with ."},
    {"UnspecifiedChoice",
     {"sharing=SHARING_UNSPECIFIED"},
     "small.textproto: sharing: \"SHARING_UNSPECIFIED\" must be SPATIAL or TEMPORAL"},
    {"UnknownFieldInSet",
     {"model.mikrobatches=3"},
     "--set: model.mikrobatches: \"mikrobatches\" is no field of Model; the nearest are "
     "microbatches, "
     "microbatch_size, profile"},
    {"IndexBeyondTheEnd",
     {"wan_link[7].delay=3ms"},
     "--set: wan_link[7].delay: \"wan_link[7]\" must be at most 1, one past the last entry"},
    {"MissingDelay",
     {"wan_link[0].delay="},
     "small.textproto: wan_link[0].delay: must be set: no round-trip time is known between a and "
     "b"},
};

std::string
NameOfBadInput(const testing::TestParamInfo<BadInput>& info)
{
    return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Scenario, LoaderError, testing::ValuesIn(badInputs), NameOfBadInput);

TEST(LoaderErrors, AModelThatDoesntFitSaysByHowMuchOnWhichStage)
{
    const auto line =
        ErrorOfSmall({"model.transformer.hidden=32768", "model.transformer.heads=64"});
    EXPECT_EQ(line.find("small.textproto: model: must fit into memory: stage "), 0U) << line;
    EXPECT_NE(line.find("GB too much"), std::string::npos) << line;
}

TEST(LoaderErrors, AModelThatDoesntFitIsWarnedOfWhereTheScenarioSaysSo)
{
    EXPECT_EQ(ErrorOfSmall({"model.transformer.hidden=32768",
                            "model.transformer.heads=64",
                            "run.memory_check=WARN"}),
              "");
}

TEST(LoaderErrors, TensorOverlapNeedsSequenceParallelism)
{
    const auto line = ErrorOfSmall({"parallelism.tensor_overlap=0.5"});
    EXPECT_EQ(line.find("small.textproto: parallelism.tensor_overlap: "), 0U) << line;
    EXPECT_EQ(ErrorOfSmall({"parallelism.tensor_overlap=0.5", "model.recomputation=SELECTIVE"}),
              "");
}

TEST(LoaderErrors, BucketsAreGivenByBytesOrByNumber)
{
    EXPECT_EQ(ErrorOfSmall({"parallelism.gradient_bucket=25MB"}), "");
    const auto line =
        ErrorOfSmall({"parallelism.gradient_bucket=25MB", "schedule.all_reduce_buckets=4"});
    EXPECT_EQ(
        line.find("small.textproto: parallelism.gradient_bucket: \"25MB\" must not be set with "),
        0U)
        << line;
}

TEST(LoaderErrors, TooFewGpusSaysWhatIsMissing)
{
    const auto line = ErrorOfSmall({"parallelism.data_parallel=3"});
    EXPECT_EQ(line.find("small.textproto: data_center: "), 0U) << line;
}

TEST(LoaderErrors, AnUnreachableDataCentreIsNamed)
{
    const auto line = ErrorOfSmall({"wan_link="});
    EXPECT_EQ(line.find("small.textproto: "), 0U) << line;
    EXPECT_NE(line.find("b"), std::string::npos) << line;
}

TEST(LoaderErrors, ScenarioThatIsNotThereNamesTheLibrarysNearest)
{
    try
    {
        ReadScenarioText("three-dc-gtp");
        FAIL();
    }
    catch (const ConfigError& error)
    {
        EXPECT_NE(std::string(error.what()).find("three-dc-gpt"), std::string::npos)
            << error.what();
    }
}

TEST(LoaderErrors, AFolderIsNoScenario)
{
    EXPECT_THROW(ReadScenarioText(testing::TempDir()), ConfigError);
}

} // namespace

} // namespace geotrain
