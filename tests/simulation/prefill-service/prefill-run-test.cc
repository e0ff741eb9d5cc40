// SPDX-License-Identifier: GPL-2.0-only
// Compares the traces of whole runs with and without prefills, over packets and on the analytic
// network.
#include "metrics/summary.h"
#include "program-test.h"
#include "trace/trace-reader.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace geotrain
{
namespace
{

namespace fs = std::filesystem;

// Two data centres 10 ms apart; microbatches of about 10 ms, bubbles of as much and more.
constexpr const char* training = R"(
name: "prefills"
model {
  transformer { layers: 4 hidden: 2048 heads: 16 vocabulary: 8000 }
  sequence: 1024 microbatch_size: 2 microbatches: 4
}
parallelism { pipeline_stages: 2 data_parallel: 2 }
data_center { name: "a" nodes: 2 gpus_per_node: 1 gpu: "A100-80" stages: 1 }
data_center { name: "b" nodes: 2 gpus_per_node: 1 gpu: "A100-80" stages: 1 }
wan_link { from: "a" to: "b" rate: "10Gbps" delay: "10ms" }
mtu: 9000
transport { connections: 4 }
run { iterations: 2 all_reduce_fidelity: ANALYTIC }
)";

constexpr const char* inference = R"(
inference {
  model: "llama3-8b"
  generator { requests_per_second: 100 median_prompt: 60 sigma: 0.5 }
}
)";

// Llama-3 8B prefills a prompt of up to 200 tokens in 31.2 ms on an A100, by the engine's own time
// (`geotrain timing --model llama3-8b --gpu A100-80 --prefill-tokens 200`), which its layers and its head
// share by their parameters: per token and column of 4,096 a layer has 2 x 14,336 in the MLP's first
// product, 14,336 in its second, and 4,096 + 2 x 1,024 + 4,096 in attention's; the head has 128,256.
constexpr double firstProduct = 2 * 14336;
constexpr double layerColumns = firstProduct + 14336 + 4096 + 2 * 1024 + 4096;
constexpr double headLayers = 128256 / layerColumns;
// The second half of the model has 16 layers and the head, whose time is spread over the layers.
constexpr double longestProduct =
    31.2e-3 / (32 + headLayers) * (16 + headLayers) / 16 * firstProduct / layerColumns; // s

// What makes prefills cost training nothing: a GPU that stops at once, and NICs of their own.
constexpr const char* ideal = " --set inference.preemption=INSTANT "
                              "--set inference.preemption_cost=0 "
                              "--set inference.activation_nic=OWN ";

class PrefillRun : public ProgramTest
{
  protected:
    void SetUp() override
    {
        Write("without.textproto", training);
        Write("with.textproto", std::string(training) + inference);
    }

    int Geotrain(const std::string& arguments) const
    {
        return ProgramTest::Geotrain(arguments).code;
    }

    std::string Error() const
    {
        return Contents(m_folder / "error.txt");
    }

    /// Returns every record of training, one per line.
    std::string TrainingOf(const std::string& folder) const
    {
        TraceReader reader((m_folder / folder / "trace.pb").string());
        std::string text;
        while (const auto record = reader.Next())
        {
            if (record->has_gpu_span() || record->has_message_span() ||
                record->has_collective_span())
            {
                text += record->ShortDebugString() + "\n";
            }
        }
        return text;
    }

    Summary SummaryOf(const std::string& folder) const
    {
        TraceReader reader((m_folder / folder / "trace.pb").string());
        return Summarize(reader);
    }

    /// Runs both scenarios with `options`, on ideal GPUs, and compares what training did.
    void ExpectSameTraining(const std::string& options) const
    {
        ASSERT_EQ(Geotrain("run without.textproto --out without " + options), 0) << Error();
        ASSERT_EQ(Geotrain("run with.textproto --out with " + options + ideal), 0) << Error();
        EXPECT_GT(*SummaryOf("with").Find("requests_served"), 3);
        EXPECT_GT(TrainingOf("without").size(), 5000u);
        EXPECT_EQ(TrainingOf("with"), TrainingOf("without"));
    }
};

TEST_F(PrefillRun, LeavesTrainingAloneOnTheAnalyticNetwork)
{
    ExpectSameTraining("--network analytic --set run.compute_jitter=0.1");
}

TEST_F(PrefillRun, LeavesTrainingAloneOverPackets)
{
    ExpectSameTraining("--network packet");
}

TEST_F(PrefillRun, LeavesTrainingAloneOverPacketsWithLossAndJitter)
{
    ExpectSameTraining(
        "--network packet --set wan_link[0].loss=0.0005 --set run.compute_jitter=0.05");
}

TEST_F(PrefillRun, FillsOverPacketsNearlyAsWellAsTheForecastAllows)
{
    ASSERT_EQ(Geotrain("run with.textproto --out with --network packet"), 0) << Error();
    const Summary summary = SummaryOf("with");
    EXPECT_GT(*summary.Find("fill_utilization"), 0.05);
    EXPECT_GT(*summary.Find("forecast_bubbles"), 20);
    // The metrics of idle time and the total utilisation add to 1: shares of seven doubles.
    EXPECT_NEAR(*summary.Find("total_utilization") + *summary.Find("idle_fill_drain") +
                    *summary.Find("idle_wan") + *summary.Find("idle_forward_backward") +
                    *summary.Find("idle_imbalance") + *summary.Find("idle_local") +
                    *summary.Find("idle_all_reduce"),
                1,
                1e-9);
}

TEST_F(PrefillRun, FillsThreeDataCentresToNineTenths)
{
    ASSERT_EQ(Geotrain("run '" GEOTRAIN_SOURCE_DIR
                       "/scenarios/library/three-dc-bubbletea.textproto' --out three" +
                       std::string(ideal)),
              0)
        << Error();
    const Summary summary = SummaryOf("three");
    EXPECT_GE(*summary.Find("total_utilization"), 0.90);
    EXPECT_EQ(*summary.Find("forecast_misses"), 0);
    EXPECT_EQ(*summary.Find("training_held"), 0);
}

TEST_F(PrefillRun, ForecastsExactlyOnTheAnalyticNetworkWhileWindowsGrow)
{
    const std::string options = "--network analytic --set transport.window=16MB "
                                "--set wan_link[0].delay=30ms --set run.iterations=8 ";
    ASSERT_EQ(Geotrain("run with.textproto --out with " + options + ideal), 0) << Error();
    const Summary summary = SummaryOf("with");
    EXPECT_GT(*summary.Find("wan_message_jitter"),
              1e-4); // the same message takes less and less time
    EXPECT_GT(*summary.Find("forecast_bubbles"), 50);
    EXPECT_EQ(*summary.Find("forecast_misses"), 0);
    EXPECT_EQ(*summary.Find("forecast_error_max"), 0);
    EXPECT_EQ(*summary.Find("fill_lost_share"), 0);
}

TEST_F(PrefillRun, SendsKvCachesAsPacketsOnNicsOfTheirOwn)
{
    ASSERT_EQ(Geotrain("run without.textproto --out without --network packet"), 0) << Error();
    ASSERT_EQ(Geotrain(std::string("run with.textproto --out with --network packet") + ideal), 0)
        << Error();
    const Summary with = SummaryOf("with");
    // 32 layers x 2 (keys, values) x 8 heads x 128 x 2 bytes = 131,072 bytes per token; parts of
    // unfinished requests count too.
    double tokens = 0;
    TraceReader reader((m_folder / "with" / "trace.pb").string());
    while (const auto record = reader.Next())
    {
        const bool isServed =
            record->has_request() && record->request().outcome() == trace::REQUEST_OUTCOME_SERVED;
        tokens += isServed ? record->request().prompt_tokens() : 0;
    }
    EXPECT_GT(tokens, 0);
    EXPECT_GE(*with.Find("kv_bytes"), tokens * 131072);
    // Each packet of at most 8,948 bytes of payload crosses two links.
    EXPECT_GT(*with.Find("kv_packets"), 2 * *with.Find("kv_bytes") / 8948);
    // None of it goes over training's links.
    EXPECT_EQ(*with.Find("packets_intra_dc"), *SummaryOf("without").Find("packets_intra_dc"));
    EXPECT_EQ(*with.Find("iteration_time"), *with.Find("iteration_time_without"));
    EXPECT_EQ(*with.Find("iteration_time"), *SummaryOf("without").Find("iteration_time"));
}

TEST_F(PrefillRun, ReportsWhatSharingTrainingsNicCosts)
{
    const std::string shared =
        " --set inference.kv_nic=SHARED --set inference.generator.median_prompt=300";
    for (const std::string network : {"analytic", "packet"})
    {
        ASSERT_EQ(
            Geotrain("run without.textproto --out without-" + network + " --network " + network), 0)
            << Error();
        ASSERT_EQ(
            Geotrain("run with.textproto --out " + network + " --network " + network + shared), 0)
            << Error();
        const Summary summary = SummaryOf(network);
        EXPECT_GT(*summary.Find("requests_served"), 0) << network;
        EXPECT_GT(*summary.Find("kv_transfer_p50"), 0) << network;
        EXPECT_GT(*summary.Find("kv_bytes"), 0) << network;
        EXPECT_EQ(*summary.Find("iteration_time_without"),
                  *SummaryOf("without-" + network).Find("iteration_time"))
            << network;
        // Messages that wait for others' bytes may meet wider windows afterwards: an iteration may be
        // some 0.1 % shorter for it.
        EXPECT_GE(*summary.Find("iteration_time"), 0.999 * *summary.Find("iteration_time_without"))
            << network;
        EXPECT_FALSE(fs::exists(m_folder / network / "without"));
    }
}

// Activations have 2 x 4,096 bytes per token and hop. The run without prefills is the same training
// with the same times of computations.
TEST_F(PrefillRun, ReportsWhatPrefillsCostTraining)
{
    const std::string options = " --set run.compute_jitter=0.1 --set inference.pp_degree=2";
    for (const std::string network : {"analytic", "packet"})
    {
        ASSERT_EQ(Geotrain("run without.textproto --set run.compute_jitter=0.1 --out without-" +
                           network + " --network " + network),
                  0)
            << Error();
        ASSERT_EQ(
            Geotrain("run with.textproto --out " + network + " --network " + network + options), 0)
            << Error();
        const Summary summary = SummaryOf(network);
        const double without = *summary.Find("iteration_time_without");
        EXPECT_EQ(without, *SummaryOf("without-" + network).Find("iteration_time")) << network;
        EXPECT_EQ(*summary.Find("training_delay"), *summary.Find("iteration_time") - without);
        EXPECT_GT(*summary.Find("training_holds"), 0) << network;
        // A stop takes 10 us after the kernel in progress. The longest is the first product of the MLP
        // beside the head, which kernels outside the products (norms, attention) make a tenth longer.
        EXPECT_GT(*summary.Find("training_held_max"), 10e-6) << network;
        EXPECT_LT(*summary.Find("training_held_max"), 10e-6 + 1.1 * longestProduct) << network;
        double tokens = 0;
        TraceReader reader((m_folder / network / "trace.pb").string());
        while (const auto record = reader.Next())
        {
            const bool isServed = record->has_request() &&
                                  record->request().outcome() == trace::REQUEST_OUTCOME_SERVED;
            tokens += isServed ? record->request().prompt_tokens() : 0;
        }
        EXPECT_GT(tokens, 0) << network;
        EXPECT_GE(*summary.Find("prefill_activation_bytes"), tokens * 2 * 4096) << network;
    }
}

// Two data centres serve with two nodes of one GPU each. With NICs of their own each has two decode
// nodes more; on training's NICs the decode nodes are those without a worker, here one each.
TEST_F(PrefillRun, CountsDecodeGpusAndNics)
{
    ASSERT_EQ(Geotrain("run with.textproto --out own --network analytic"), 0) << Error();
    const Summary own = SummaryOf("own");
    EXPECT_EQ(*own.Find("decode_gpus"), 4);
    EXPECT_EQ(*own.Find("kv_nics"), 8);
    // 4 GPUs train, and 4 decode for their share of the time.
    const auto all = [](const Summary& summary, double decoding)
    {
        return (4 * *summary.Find("total_utilization") +
                decoding * *summary.Find("decode_utilization")) /
               (4 + decoding);
    };
    EXPECT_GT(*own.Find("decode_utilization"), 0);
    EXPECT_DOUBLE_EQ(*own.Find("total_utilization_all_gpus"), all(own, 4));
    ASSERT_EQ(Geotrain("run with.textproto --out shared --network analytic --set "
                       "inference.kv_nic=SHARED --set data_center[0].nodes=3 --set "
                       "data_center[1].nodes=3"),
              0)
        << Error();
    const Summary shared = SummaryOf("shared");
    EXPECT_EQ(*shared.Find("decode_gpus"), 2);
    EXPECT_EQ(*shared.Find("kv_nics"), 0);
    EXPECT_DOUBLE_EQ(*shared.Find("total_utilization_all_gpus"), all(shared, 2));
    const double servedShare = *own.Find("requests_served_share");
    EXPECT_DOUBLE_EQ(servedShare, *own.Find("requests_served") / *own.Find("requests"));
    EXPECT_NEAR(*own.Find("in_time_share"), // without an objective: all that are served
                *own.Find("requests_served") / *own.Find("requests"),
                1e-12);
}

TEST_F(PrefillRun, NoRequestsHaveNoShares)
{
    ASSERT_EQ(Geotrain("run with.textproto --out idle --network analytic --set "
                       "inference.generator.requests_per_second=0.000001"),
              0)
        << Error();
    const Summary idle = SummaryOf("idle");
    EXPECT_EQ(*idle.Find("requests"), 0);
    for (const char* share : {"refused_share", "met_objective_share", "in_time_share"})
    {
        EXPECT_FALSE(idle.Find(share)) << share;
    }
}

// The second node of b has H100, whose stage is faster, and so are its prefills.
TEST_F(PrefillRun, UnlikeGpusOfADataCentreServeAndRunFillJobs)
{
    const std::string mixed = " --network analytic --set data_center[1].other_gpus[0].nodes=1 "
                              "--set data_center[1].other_gpus[0].gpu=H100 ";
    ASSERT_EQ(Geotrain("run with.textproto --out served" + mixed), 0) << Error();
    EXPECT_GT(*SummaryOf("served").Find("requests_served"), 3);
    ASSERT_EQ(Geotrain("run without.textproto --out filled --set fill_jobs.jobs=4 --set "
                       "fill_jobs.median_time=1h --set fill_jobs.mix[0].model=bert-base" +
                       mixed),
              0)
        << Error();
    EXPECT_GT(*SummaryOf("filled").Find("fill_job_gain"), 0);
}

TEST_F(PrefillRun, GivesTheSameBytesTwice)
{
    for (const std::string folder : {"one", "two"})
    {
        ASSERT_EQ(
            Geotrain("run with.textproto --network analytic --set run.compute_jitter=0.1 --out " +
                     folder),
            0);
    }
    EXPECT_EQ(Contents(m_folder / "one/trace.pb"), Contents(m_folder / "two/trace.pb"));
}

TEST_F(PrefillRun, RefusesATraceOfWhichEveryRequestIsRefused)
{
    std::ofstream(m_folder / "long.csv") << "timestamp,input_length\n0,9000\n5,10000\n";
    std::ofstream(m_folder / "long.textproto")
        << training << "inference { model: \"llama3-8b\" trace { file: \"long.csv\" } }\n";
    EXPECT_EQ(Geotrain("run long.textproto --network analytic --out long"), 1);
    EXPECT_NE(Error().find("the shortest prompt has 9000 tokens"), std::string::npos) << Error();
    EXPECT_EQ(Geotrain("run with.textproto --network analytic --out late "
                       "--set inference.ttft_objective=1ms"),
              1);
    EXPECT_NE(Error().find("inference.ttft_objective"), std::string::npos) << Error();
}

TEST_F(PrefillRun, RefusesAModelThatFitsNowhere)
{
    EXPECT_EQ(Geotrain("run with.textproto --network analytic --out big "
                       "--set inference.model=gpt3-175b"),
              1);
    EXPECT_NE(Error().find("inference.model: \"gpt3-175b\" needs"), std::string::npos) << Error();
    EXPECT_NE(Error().find("models that do: "), std::string::npos) << Error();
}

TEST_F(PrefillRun, NamesTheLineOfABrokenTrace)
{
    std::ofstream(m_folder / "bad.csv") << "timestamp,input_length\n10,90\n5,100\n";
    std::ofstream(m_folder / "bad.textproto")
        << training << "inference { model: \"llama3-8b\" trace { file: \"bad.csv\" } }\n";
    EXPECT_EQ(Geotrain("run bad.textproto --network analytic --out bad"), 1);
    EXPECT_NE(Error().find("line 3"), std::string::npos) << Error();
}

} // namespace
} // namespace geotrain
