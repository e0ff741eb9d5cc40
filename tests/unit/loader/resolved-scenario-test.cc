// SPDX-License-Identifier: GPL-2.0-only
// Tests what the loader makes of a scenario, and that the resolved scenario needs no other file.
#include "small-scenario.h"
#include "temporary-folder.h"

#include "schema/scenario.pb.h"
#include "training-plan/hop-times.h"
#include "workload/hugging-face-config.h"
#include "workload/parameter-count.h"
#include "workload/stage-share.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <utility>

namespace geotrain
{

namespace
{

// Printed, loaded from the text alone, and printed again.
void
ExpectFixpoint(const Experiment& loaded)
{
    const auto first = PrintScenario(*loaded.provenance.resolved);
    const auto again = LoadScenario({"again.textproto", "/nowhere", first});
    EXPECT_EQ(PrintScenario(*again.provenance.resolved), first);
}

TEST(ResolvedScenario, LoadsToItself)
{
    ExpectFixpoint(LoadSmall());
    ExpectFixpoint(LoadSmall({"sharing=TEMPORAL", "run.compute_jitter=0.05"}));
    ExpectFixpoint(LoadSmall({"wan_link[0].delay=",
                              "data_center[0].region=eastus",
                              "data_center[1].region=westeurope"}));
    ExpectFixpoint(LoadSmall({"wan_link[0].queue_disc=FqCoDelQueueDisc",
                              "wan_link[0].queue=100packets",
                              "transport.bearer=DEVICE"}));
    ExpectFixpoint(LoadSmall({"wan_link[0].red.ecn=false",
                              "wan_link[0].burst_loss.enter=0.01",
                              "wan_link[0].burst_loss.leave=0.5",
                              "wan_link[0].jitter.mean=1ms",
                              "wan_link[0].jitter.deviation=1ms",
                              "wan_link[0].jitter.distribution=NORMAL",
                              "wan_link[0].outage[0].begin=1s",
                              "wan_link[0].outage[0].end=2s"}));
}

TEST(ResolvedScenario, HoldsTheRatesOfATraceFile)
{
    const TemporaryFolder folder;
    const auto file = (folder / "down.trace").string();
    std::ofstream(file) << "50\n100\n250\n"; // 24,000 bits in 100 ms, none, and 12,000 in 50 ms
    const Experiment loaded = LoadSmall({"wan_link[0].rate=",
                                         "wan_link[0].rate_trace=" + file,
                                         "wan_link[0].rate_back=2Mbps",
                                         "wan_link[0].delay_back=30ms"});
    ExpectFixpoint(loaded);
    const WanTopology::Link& link = loaded.testbed.wan.links.front();
    EXPECT_EQ(link.rate, BitRate::BitsPerSecond(144000)); // 36,000 bits in 250 ms
    EXPECT_EQ(link.rates.period, Duration::Milliseconds(250));
    EXPECT_EQ(link.RateOf(false), BitRate::BitsPerSecond(2000000));
    EXPECT_TRUE(link.RatesOf(false).steps.empty());
    EXPECT_EQ(link.DelayOf(false), Duration::Milliseconds(30));
    const auto& written = loaded.provenance.resolved->wan_link(0);
    EXPECT_EQ(std::vector<std::string>(written.rate_trace_line().begin(),
                                       written.rate_trace_line().end()),
              (std::vector<std::string>{"t_s,rate", "0,240kbps", "0.1,0", "0.2,240kbps", "0.25,"}));
    // A file goes with neither a rate nor steps, and is named by its errors.
    EXPECT_NE(ErrorOfSmall({"wan_link[0].rate_trace=" + file}).find("rate"), std::string::npos);
    std::ofstream(file) << "50\n10\n";
    EXPECT_NE(
        ErrorOfSmall({"wan_link[0].rate=", "wan_link[0].rate_trace=" + file}).find("down.trace:2"),
        std::string::npos);
}

TEST(ResolvedScenario, AStepHoldsBackwardUnlessTheLinkHasARateBack)
{
    const auto stepsOf = [](const std::vector<std::string>& sets)
    {
        std::vector<std::string> all{"wan_link[0].rate_step[0].at=1s",
                                     "wan_link[0].rate_step[0].rate=3Gbps"};
        all.insert(all.end(), sets.begin(), sets.end());
        const Experiment loaded = LoadSmall(all);
        const WanTopology::Link& link = loaded.testbed.wan.links.front();
        EXPECT_EQ(link.RatesOf(true).RateAt(Duration::Seconds(2), link.RateOf(true)),
                  BitRate::GigabitsPerSecond(3));
        return link.RatesOf(false).RateAt(Duration::Seconds(2), link.RateOf(false));
    };
    EXPECT_EQ(stepsOf({}), BitRate::GigabitsPerSecond(3));
    EXPECT_EQ(stepsOf({"wan_link[0].rate_back=1Gbps"}), BitRate::GigabitsPerSecond(1));
    EXPECT_EQ(stepsOf({"wan_link[0].rate_step[0].rate_back=2Gbps"}), BitRate::GigabitsPerSecond(2));
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
    const auto resolved = *LoadSmall().provenance.resolved;
    EXPECT_EQ(resolved.parallelism().layers_per_stage_size(), 2);
    EXPECT_EQ(resolved.parallelism().cell_size(), 2);
    EXPECT_EQ(resolved.temporal_sharing().turn_latency(), "10us");
    EXPECT_EQ(resolved.data_center(0).intra_rate(), "100Gbps");
    EXPECT_EQ(resolved.model().transformer().ffn_width(), 1024);
}

TEST(ResolvedScenario, AttentionIsFusedUnlessAGpuIsOlderThanA100)
{
    EXPECT_EQ(
        LoadSmall({"data_center[0].gpu=A100-40", "data_center[1].gpu=H100"}).jobs[0].job.attention,
        Attention::FusedCausal);
    EXPECT_EQ(
        LoadSmall({"data_center[0].gpu=V100-32", "data_center[1].gpu=H100"}).jobs[0].job.attention,
        Attention::Unfused);
    EXPECT_EQ(
        LoadSmall({"data_center[0].gpu=V100-32", "model.attention=FUSED"}).jobs[0].job.attention,
        Attention::Fused);
}

TEST(ResolvedScenario, SoftwareOf2022IsToldByItsAttentionAndWideGradients)
{
    const std::vector<std::string> bloom = {"model.attention=UNFUSED",
                                            "model.gradient_bytes_per_parameter=4"};
    const auto loaded = LoadSmall(bloom);
    EXPECT_EQ(loaded.jobs[0].job.software, Software::MegatronDeepspeed);
    EXPECT_EQ(loaded.provenance.resolved->data_center(0).intra_rate(), "50Gbps");
    ExpectFixpoint(loaded);
    for (const auto* other : {"model.attention=FUSED",
                              "model.gradient_bytes_per_parameter=2",
                              "model.precision=FP32",
                              "model.software=CURRENT"})
    {
        auto sets = bloom;
        sets.push_back(other);
        const auto current = LoadSmall(sets);
        EXPECT_EQ(current.jobs[0].job.software, Software::Current) << other;
        EXPECT_EQ(current.provenance.resolved->data_center(0).intra_rate(), "100Gbps") << other;
    }
    const auto own = LoadSmall({"model.software=MEGATRON_DEEPSPEED",
                                "data_center[0].intra_rate=90Gbps",
                                "parallelism.shard_optimizer=true"});
    EXPECT_EQ(own.provenance.resolved->data_center(0).intra_rate(), "90Gbps");
    // An all-reduce of 2 bytes a gradient, and an all-gather of 2 bytes a parameter.
    EXPECT_EQ(own.jobs[0].prepared.gathered, own.jobs[0].prepared.gradients);
}

TEST(ResolvedScenario, AGpuMayBeGivenByItsFigures)
{
    const std::vector<std::string> own{"gpu_type[0].name=mine",
                                       "gpu_type[0].peak_tflops=400",
                                       "gpu_type[0].memory=100GB",
                                       "gpu_type[0].bandwidth_gb_per_s=3000",
                                       "gpu_type[0].nvlink_gb_per_s=200",
                                       "data_center[0].gpu=MINE"}; // in any case
    const auto loaded = LoadSmall(own);
    EXPECT_EQ(loaded.provenance.resolved->data_center(0).gpu(), "mine");
    const GpuSpec& gpu = loaded.jobs[0].cluster.dataCenters[0].gpu;
    EXPECT_EQ(gpu.peakFlopsPerSecond, 400e12);
    EXPECT_EQ(gpu.memory, Bytes::Of(100000000000));
    EXPECT_EQ(gpu.efficiency.source, ConstantSource::Estimate); // it has H100's
    ExpectFixpoint(loaded);
    auto measured = own;
    measured.insert(measured.end(),
                    {"gpu_type[0].efficiency.matmul=0.8",
                     "gpu_type[0].efficiency.half_side=1000",
                     "gpu_type[0].efficiency.memory=0.7"});
    EXPECT_EQ(LoadSmall(measured).jobs[0].cluster.dataCenters[0].gpu.efficiency.source,
              ConstantSource::Kernels);
    EXPECT_THROW(LoadSmall({"gpu_type[0].name=H100",
                            "gpu_type[0].peak_tflops=400",
                            "gpu_type[0].memory=100GB",
                            "gpu_type[0].bandwidth_gb_per_s=3000",
                            "gpu_type[0].nvlink_gb_per_s=200"}),
                 ConfigError);
}

// Two replicas: the second one's last stage is on the second node of b, which has H100.
TEST(ResolvedScenario, ADataCentreMayHaveNodesOfOtherGpus)
{
    // Of a layer that is as narrow as the small scenario's, H100's kernels are over before the next begins.
    const std::vector<std::string> wide{"model.transformer.hidden=4096", "model.sequence=2048"};
    auto mixed = wide;
    mixed.push_back("data_center[1].other_gpus[0].nodes=1");
    mixed.push_back("data_center[1].other_gpus[0].gpu=H100");
    const auto loaded = LoadSmall(mixed);
    const auto alike = LoadSmall(wide);
    ExpectFixpoint(loaded);
    ASSERT_EQ(loaded.jobs[0].prepared.replicaHosts.size(), 2U);
    const auto& first = loaded.jobs[0].prepared.replicaHosts[0].timing;
    const auto& second = loaded.jobs[0].prepared.replicaHosts[1].timing;
    EXPECT_EQ(first[1].forward, alike.jobs[0].prepared.timing[1].forward);
    EXPECT_LT(second[1].forward, first[1].forward);
    EXPECT_EQ(second[0].forward, first[0].forward);
    EXPECT_EQ(loaded.jobs[0].prepared.timing[1].forward, first[1].forward); // the slowest replica's
    EXPECT_THROW(LoadSmall({"data_center[1].other_gpus[0].nodes=2",
                            "data_center[1].other_gpus[0].gpu=H100"}),
                 ConfigError);
}

TEST(ResolvedScenario, EveryGpuOfAGroupMaySendItsCopy)
{
    const auto one = LoadSmall();
    const auto copies = LoadSmall({"parallelism.boundary_copies=COPY_PER_GPU"});
    EXPECT_EQ(copies.jobs[0].prepared.boundary,
              one.jobs[0].prepared.boundary * one.jobs[0].plan.tensorParallel);
}

// An element of a message or a gradient has 4 bytes in FP32 and TF32, and 2 in all others: FP8 is the
// format of products alone. A message is one sequence of 128 tokens by a hidden size of 256. Adam's
// state is 16 bytes a parameter with 4 bytes of weight and gradient each, and 18 otherwise.
TEST(ResolvedScenario, BytesFollowThePrecision)
{
    const std::vector<std::pair<std::string, std::int64_t>> elements{
        {"FP32", 4}, {"TF32", 4}, {"BF16", 2}, {"FP16", 2}, {"FP8", 2}};
    for (const auto& [precision, bytes] : elements)
    {
        const auto loaded = LoadSmall(
            {"data_center[0].gpu=H100", "data_center[1].gpu=H100", "model.precision=" + precision});
        const auto& training = loaded.jobs[0].prepared;
        const auto parameters = StageParameters(loaded.jobs[0].job.model, {2, true, false});
        EXPECT_EQ(training.boundary.Count(), 128 * 256 * bytes) << precision;
        EXPECT_EQ(training.gradients.front().Count(), bytes * parameters) << precision;
        EXPECT_EQ(training.memory.front().state.Count(), (bytes == 4 ? 16 : 18) * parameters)
            << precision;
        // The attention's kernels are for 16 bits and fewer.
        EXPECT_EQ(loaded.jobs[0].job.attention,
                  bytes == 4 ? Attention::Unfused : Attention::FusedCausal)
            << precision;
    }
}

// Compute times are divided by the efficiency: half of it doubles passes and optimiser step.
TEST(ResolvedScenario, SoftwareEfficiencyDividesComputeTimes)
{
    const auto whole = LoadSmall().jobs[0].prepared.timing.front();
    const auto half = LoadSmall({"model.software_efficiency=0.5"}).jobs[0].prepared.timing.front();
    EXPECT_NEAR(half.forward.ToSeconds(), 2 * whole.forward.ToSeconds(), 3e-9);
    EXPECT_NEAR(half.Backward().ToSeconds(), 2 * whole.Backward().ToSeconds(), 6e-9);
    EXPECT_NEAR(half.optimizerStep.ToSeconds(), 2 * whole.optimizerStep.ToSeconds(), 3e-9);
    EXPECT_THROW(LoadSmall({"model.software_efficiency=1.1"}), ConfigError);
    EXPECT_THROW(LoadSmall({"model.software_efficiency=0"}), ConfigError);
}

TEST(ResolvedScenario, ThePrecisionIsFp16WhereAGpuHasNoBf16)
{
    EXPECT_EQ(LoadSmall({"data_center[0].gpu=V100-32"}).jobs[0].job.model.precision,
              Precision::Fp16);
    EXPECT_THROW(LoadSmall({"data_center[0].gpu=V100-32", "model.precision=BF16"}), ConfigError);
    EXPECT_THROW(LoadSmall({"data_center[0].gpu=A100-40", "model.precision=FP8"}), ConfigError);
    try
    {
        LoadSmall({"gpu_type[0].name=mine",
                   "gpu_type[0].peak_tflops=400",
                   "gpu_type[0].memory=100GB",
                   "gpu_type[0].bandwidth_gb_per_s=3000",
                   "gpu_type[0].nvlink_gb_per_s=200",
                   "data_center[0].gpu=mine",
                   "data_center[1].gpu=H100",
                   "model.precision=FP8"});
        ADD_FAILURE() << "a GPU without a peak of FP8 must be refused";
    }
    catch (const ConfigError& refused)
    {
        EXPECT_NE(std::string(refused.what()).find("set fp8_tflops of its gpu_type"),
                  std::string::npos)
            << refused.what();
    }
}

TEST(ResolvedScenario, SelectiveRecomputationOfFusedAttentionIsWarnedOf)
{
    const auto warnings = [](const std::string& attention)
    {
        return LoadSmall({"data_center[0].gpu=A100-80",
                          "data_center[1].gpu=A100-80",
                          "model.recomputation=SELECTIVE",
                          "model.attention=" + attention})
            .warnings;
    };
    ASSERT_EQ(warnings("FUSED").size(), 1U);
    EXPECT_NE(warnings("FUSED").front().find("recomputes nothing"), std::string::npos);
    EXPECT_TRUE(warnings("UNFUSED").empty());
}

TEST(ResolvedScenario, HasVirtualStagesWrittenOut)
{
    const auto wave = LoadSmall({"schedule.name=zb-v", "schedule.memory_cap=4"});
    EXPECT_EQ(wave.provenance.resolved->schedule().virtual_stages(), 2);
    EXPECT_EQ(wave.provenance.resolved->parallelism().layers_per_stage_size(), 4);
    EXPECT_EQ(wave.jobs[0].prepared.workerOfStage, (std::vector<std::uint32_t>{0, 1, 1, 0}));
    EXPECT_EQ(wave.jobs[0].prepared.timing.size(), 4u);
    ExpectFixpoint(wave);
    ExpectFixpoint(LoadSmall({"schedule.name=interleaved", "schedule.virtual_stages=2"}));
}

TEST(ResolvedScenario, RunsASchedulesWithoutFlushUntilItHasSettled)
{
    // 2p/m = 4/4: one update to settle, and at least 3 to measure.
    for (const auto* name : {"pipedream-2bw", "pipemare"})
    {
        const auto loaded = LoadSmall({std::string("schedule.name=") + name});
        EXPECT_EQ(loaded.provenance.resolved->run().warmup_iterations(), 1);
        EXPECT_EQ(loaded.provenance.resolved->run().iterations(), 3);
        ExpectFixpoint(loaded);
    }
}

TEST(ResolvedScenario, HoldsAnOrderInPlace)
{
    const auto folder = std::filesystem::path(testing::TempDir());
    std::ofstream(folder / "orders.csv") << "0F0,0F1,0B0,0B1\n1F0,1B0,1F1,1B1\n";
    const auto loaded =
        LoadScenario({"small.textproto", folder, SmallScenarioText()},
                     {{"schedule.orders=orders.csv", "--set"}, {"model.microbatches=2", "--set"}});
    EXPECT_EQ(loaded.provenance.resolved->schedule().name(), "custom");
    EXPECT_EQ(loaded.jobs[0].prepared.order.stages[1][1].kind, Operation::Kind::Backward);
    ExpectFixpoint(loaded);
}

TEST(HopTimes, AreTheWansDelayAndAMessageAtTheLowestRate)
{
    // 10 ms and half the intra-DC delay of 10 us at both ends; 1 MB over a pipeline's share of 10
    // Gbit/s: 1.6 ms, over the share of payload in a packet of 1,500 bytes, 1448/1500, since
    // headers take the rest. With a window of 1.5 MB over 20.02 ms and one connection it is 599.4
    // Mbit/s: 13.35 ms, and half under two lanes.
    const auto hopOf = [&](const std::vector<std::string>& sets)
    {
        const auto loaded = LoadSmall(sets);
        return HopTimes(loaded.jobs[0].plan,
                        loaded.jobs[0].cluster,
                        ClusterWays(loaded.jobs[0].cluster),
                        loaded.jobs[0].prepared.placement,
                        Bytes::Of(1000000))
            .at(0);
    };
    const Hop wide = hopOf({"transport.window=100MB"});
    EXPECT_EQ(wide.delay, Duration::Microseconds(10010));
    EXPECT_NEAR(wide.occupancy.ToSeconds(), 1600e-6 * 1500 / 1448, 1e-9);
    EXPECT_FALSE(wide.takesTurns);
    EXPECT_NEAR(hopOf({}).occupancy.ToSeconds(), 1e6 / 1.5e6 * 0.02002, 1e-8);
    const Hop turns = hopOf({"sharing=TEMPORAL"});
    // Two pipelines share the node pairs, and the turn is passed on in 10 us.
    EXPECT_NEAR(turns.occupancy.ToSeconds(), 0.5 * 1e6 / 1.5e6 * 0.02002 + 10e-6, 1e-8);
    EXPECT_TRUE(turns.takesTurns);
}

TEST(ResolvedScenario, HasAnOrderForEachPipelineWhereTheyTakeTurns)
{
    const auto spatial = LoadSmall({"schedule.name=atlas"});
    const auto temporal = LoadSmall({"schedule.name=atlas", "sharing=TEMPORAL"});
    EXPECT_EQ(spatial.jobs[0].prepared.order.ofPipeline.size(), 1u);
    EXPECT_EQ(temporal.jobs[0].prepared.order.ofPipeline.size(), 2u);
}

TEST(ResolvedScenario, HoldsAMeasuredProfileInPlace)
{
    const auto folder = std::filesystem::path(testing::TempDir());
    std::ofstream(folder / "profile.csv")
        << "layer,microbatch,tp,forward_ms,backward_input_ms,backward_weight_ms\n"
           "0,1,1,1,2,3\n1,1,1,1,2,3\n2,1,1,1,2,3\n3,1,1,1,2,3\n";
    const auto loaded = LoadScenario({"small.textproto", folder, SmallScenarioText()},
                                     {{"model.profile=profile.csv", "--set"}});
    EXPECT_EQ(loaded.jobs[0].prepared.timing[0].forward, Duration::Milliseconds(2));
    EXPECT_EQ(loaded.jobs[0].prepared.timing[1].Backward(), Duration::Milliseconds(10));
    ExpectFixpoint(loaded);
}

// As editors of Windows write them.
TEST(ResolvedScenario, IsReadFromAFileWithAByteOrderMarkAndCarriageReturns)
{
    const auto path = std::filesystem::path(testing::TempDir()) / "small.textproto";
    std::string text = "\xEF\xBB\xBF";
    for (const char letter : SmallScenarioText())
    {
        text += letter == '\n' ? "\r\n" : std::string(1, letter);
    }
    std::ofstream(path, std::ios::binary) << text;
    const auto loaded = LoadScenario(ReadScenarioText(path.string()));
    EXPECT_EQ(PrintScenario(*loaded.provenance.resolved),
              PrintScenario(*LoadSmall().provenance.resolved));
}

TEST(ResolvedScenario, AnEmptyProfileIsRefused)
{
    const auto folder = std::filesystem::path(testing::TempDir());
    std::ofstream(folder / "empty.csv") << "";
    try
    {
        LoadScenario({"small.textproto", folder, SmallScenarioText()},
                     {{"model.profile=empty.csv", "--set"}});
        ADD_FAILURE() << "taken";
    }
    catch (const ConfigError& error)
    {
        EXPECT_NE(std::string(error.what()).find("empty.csv: line 1: must name the columns"),
                  std::string::npos)
            << error.what();
    }
}

// A profile's own error names its file; it is not that of a field of the scenario.
TEST(ResolvedScenario, ARowThatAProfileLacksIsNamedAlone)
{
    const auto folder = std::filesystem::path(testing::TempDir());
    std::ofstream(folder / "short.csv")
        << "layer,microbatch,tp,forward_ms,backward_input_ms,backward_weight_ms\n0,1,1,1,2,3\n";
    try
    {
        LoadScenario({"small.textproto", folder, SmallScenarioText()},
                     {{"model.profile=short.csv", "--set"}});
        ADD_FAILURE() << "taken";
    }
    catch (const ConfigError& error)
    {
        EXPECT_EQ(std::string(error.what()),
                  (folder / "short.csv").string() +
                      ": layer 1: must have a row on A100-80 for microbatch 1 and tp 1");
    }
}

TEST(ResolvedScenario, OverlapInAMeasuredProfileIsWarnedOf)
{
    const std::vector<std::string> sets{
        "model.profile_line=[\"layer,microbatch,tp,forward_ms,backward_input_ms,"
        "backward_weight_ms\",\"0,1,1,1,2,3\",\"1,1,1,1,2,3\",\"2,1,1,1,2,3\",\"3,1,1,1,2,3\"]",
        "model.recomputation=SELECTIVE"};
    auto overlapped = sets;
    overlapped.emplace_back("parallelism.tensor_overlap=0.5");
    auto expected = LoadSmall(sets).warnings;
    expected.emplace_back("parallelism.tensor_overlap changes nothing: the times of a measured "
                          "profile have their all-reduces in them");
    EXPECT_EQ(LoadSmall(overlapped).warnings, expected);
}

// A measured step is that of a whole layer on one GPU; ZeRO-3's two workers have a half each.
TEST(ResolvedScenario, Zero3SharesAMeasuredOptimizerStep)
{
    const auto loaded =
        LoadSmall({"model.profile_line=[\"layer,microbatch,tp,forward_ms,backward_input_ms,"
                   "backward_weight_ms,optimizer_ms\",\"0,1,1,1,2,3,10\",\"1,1,1,1,2,3,10\","
                   "\"2,1,1,1,2,3,10\",\"3,1,1,1,2,3,10\"]",
                   "parallelism.pipeline_stages=1",
                   "data_center[1].stages=0",
                   "parallelism.data_parallel=2",
                   "parallelism.data_parallelism=ZERO3"});
    ASSERT_EQ(loaded.jobs[0].prepared.layeredWorks.size(), 1U);
    EXPECT_EQ(loaded.jobs[0].prepared.layeredWorks.front().optimizerStep,
              Duration::Milliseconds(20));
}

TEST(ResolvedScenario, HoldsAHuggingFaceModelInPlace)
{
    const auto folder = std::filesystem::path(testing::TempDir());
    std::ofstream(folder / "config.json")
        << R"({"model_type": "gpt2", "n_layer": 4, "n_embd": 256, "n_head": 4, "vocab_size": 1000,
               "n_positions": 512})";
    const auto loaded = LoadScenario({"small.textproto", folder, SmallScenarioText()},
                                     {{"model.hugging_face_config=config.json", "--set"}});
    EXPECT_EQ(loaded.provenance.resolved->model().transformer().max_context(), 512);
    ExpectFixpoint(loaded);
}

// Latent attention, dense layers, shared experts, groups of experts and windows: what a config.json
// says is in the resolved scenario, which gives the same model.
TEST(ResolvedScenario, HoldsAMixtureOfExpertsInPlace)
{
    const auto folder = std::filesystem::path(testing::TempDir());
    const std::vector<std::string> configs{
        R"({"model_type": "deepseek_v3", "num_hidden_layers": 4, "hidden_size": 256,
            "num_attention_heads": 4, "q_lora_rank": 64, "kv_lora_rank": 32, "qk_nope_head_dim": 32,
            "qk_rope_head_dim": 16, "v_head_dim": 24, "intermediate_size": 512,
            "moe_intermediate_size": 128, "n_routed_experts": 16, "num_experts_per_tok": 4,
            "n_shared_experts": 2, "first_k_dense_replace": 1, "n_group": 4, "topk_group": 2,
            "vocab_size": 1000, "max_position_embeddings": 512})",
        R"({"model_type": "gpt_oss", "num_hidden_layers": 4, "hidden_size": 256,
            "num_attention_heads": 4, "num_key_value_heads": 2, "intermediate_size": 128,
            "num_local_experts": 8, "num_experts_per_tok": 2, "vocab_size": 1000,
            "max_position_embeddings": 512})",
        R"({"model_type": "llama4_text", "num_hidden_layers": 4, "hidden_size": 256,
            "num_attention_heads": 8, "intermediate_size": 128, "intermediate_size_mlp": 512,
            "num_local_experts": 8, "num_experts_per_tok": 1, "interleave_moe_layer_step": 2,
            "attention_chunk_size": 128, "vocab_size": 1000, "max_position_embeddings": 512})",
        R"({"model_type": "gptj", "n_layer": 4, "n_embd": 256, "n_head": 4, "vocab_size": 1000,
            "n_positions": 512})"};
    for (const std::string& config : configs)
    {
        std::ofstream(folder / "mixture.json") << config;
        const auto loaded = LoadScenario({"small.textproto", folder, SmallScenarioText()},
                                         {{"model.hugging_face_config=mixture.json", "--set"},
                                          {"run.memory_check=WARN", "--set"}});
        const TransformerSpec imported = ParseHuggingFaceConfig("mixture.json", config);
        EXPECT_EQ(ParameterCount(loaded.jobs[0].job.model), ParameterCount(imported)) << config;
        const auto again = LoadScenario(
            {"again.textproto", "/nowhere", PrintScenario(*loaded.provenance.resolved)});
        EXPECT_EQ(ParameterCount(again.jobs[0].job.model), ParameterCount(imported));
        EXPECT_EQ(ActiveParameterCount(again.jobs[0].job.model), ActiveParameterCount(imported));
        EXPECT_EQ(again.jobs[0].job.model.KeysPerToken(), loaded.jobs[0].job.model.KeysPerToken());
        ExpectFixpoint(loaded);
    }
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
    EXPECT_EQ(loaded.testbed.wan.sites.size(), 11U);
    EXPECT_EQ(loaded.testbed.wan.links.size(), 14U);
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
    ASSERT_EQ(loaded.testbed.wan.sites.size(), 2U);
    EXPECT_EQ(loaded.testbed.wan.links[0].from, 0U);
    EXPECT_EQ(loaded.testbed.wan.links[0].to, 1U);
    // Great circle of 9 degrees at 6,371 km and 200,000 km/s: 5.004 ms.
    EXPECT_NEAR(loaded.testbed.wan.links[0].delay.ToSeconds(),
                9.0 / 180 * 3.14159265 * 6371.0 / 200000,
                1e-6);
}

TEST(ResolvedScenario, StagesFillDataCentresInTheirOrder)
{
    const auto loaded = LoadSmall({"data_center[0].stages=", "data_center[1].stages="});
    EXPECT_EQ(loaded.jobs[0].prepared.placement.dataCenterOfStage,
              (std::vector<std::uint32_t>{0, 1}));
}

} // namespace

} // namespace geotrain
