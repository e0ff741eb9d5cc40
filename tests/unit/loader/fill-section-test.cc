// SPDX-License-Identifier: GPL-2.0-only
// Tests what the loader makes of fill jobs, and what it refuses with a message of one line.

#include "schema/scenario.pb.h"

#include "small-scenario.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace geotrain
{

namespace
{

const char* const scenarioText = R"(
name: "small"
model { transformer { layers: 4 hidden: 256 heads: 4 vocabulary: 1000 } sequence: 128 microbatches: 4 }
parallelism { pipeline_stages: 2 data_parallel: 2 }
data_center { name: "a" nodes: 2 gpus_per_node: 1 gpu: "V100-16" stages: 1 }
data_center { name: "b" nodes: 2 gpus_per_node: 1 gpu: "V100-16" stages: 1 }
wan_link { from: "a" to: "b" rate: "10Gbps" delay: "10ms" }
run { iterations: 3 }
)";

Experiment
Load(const std::vector<std::string>& sets)
{
    return LoadText(scenarioText, sets);
}

std::string
ErrorOf(const std::vector<std::string>& sets)
{
    return ErrorOfText(scenarioText, sets);
}

const char* const header = "fill_jobs.trace_line[0]=arrival_s,model,task,samples";

TEST(FillSection, WithoutFillJobsThereAreNone)
{
    EXPECT_TRUE(Load({}).jobs[0].fill.jobs.empty());
}

TEST(FillSection, TheDefaultMixIsAllThatFitsAGpu)
{
    const auto loaded = Load({"fill_jobs.jobs=20"});
    EXPECT_EQ(loaded.jobs[0].fill.jobs.size(), 20U);
    // Five models, training and inference; XLM-RoBERTa-XL's training has 63 GB of state.
    EXPECT_EQ(loaded.provenance.resolved->fill_jobs().mix_size(), 9);
    EXPECT_EQ(loaded.jobs[0].fill.workers.size(), 4U);
    EXPECT_EQ(loaded.jobs[0].fill.workers[1].gpuClass, 1U);
    EXPECT_DOUBLE_EQ(loaded.jobs[0].fill.options.costs.fillFraction, 0.68);
}

TEST(FillSection, TheResolvedScenarioLoadsToItself)
{
    const auto loaded = Load({header, "fill_jobs.trace_line[1]=0.5,bert-base,training,100"});
    const auto text = PrintScenario(*loaded.provenance.resolved);
    const auto again = LoadScenario({"small.textproto", ".", text});
    EXPECT_EQ(PrintScenario(*again.provenance.resolved), text);
    EXPECT_EQ(again.jobs[0].fill.jobs.size(), 1U);
    EXPECT_EQ(again.jobs[0].fill.jobs[0].arrival, Instant::FromNanoseconds(500000000));
}

TEST(FillSection, TakesAUsersOwnOperators)
{
    const auto loaded =
        Load({"fill_jobs.jobs=2",
              "fill_jobs.model[0]={name: \"mine\" operator {name: \"a\" duration: \"2ms\" memory: "
              "\"1GB\" times: 3} operator {name: \"b\" duration: \"1ms\" memory: \"2GB\" "
              "checkpointable: false}}",
              "fill_jobs.mix[0].model=mine"});
    const auto& program = *loaded.jobs[0].fill.jobs[0].programs.front();
    EXPECT_EQ(program.Operators().size(), 4U);
    EXPECT_EQ(program.PassDuration(), Duration::Milliseconds(7));
    EXPECT_EQ(program.PeakMemory(), Bytes::Of(2000000000));
}

TEST(FillSection, ErrorsNameTheFieldAndTheRule)
{
    EXPECT_EQ(ErrorOf({"fill_jobs.policy=makespan"}),
              "small.textproto: fill_jobs: must have exactly one of trace, trace_line and jobs");
    EXPECT_EQ(ErrorOf({"fill_jobs.jobs=3", header}),
              "small.textproto: fill_jobs: must have exactly one of trace, trace_line and jobs");
    EXPECT_EQ(ErrorOf({"fill_jobs.jobs=3", "fill_jobs.policy=best"}),
              "small.textproto: fill_jobs.policy: \"best\" must be one of shortest-job-first, "
              "makespan, deadline, score");
    EXPECT_EQ(ErrorOf({"fill_jobs.jobs=3", "fill_jobs.fill_fraction=1.5"}),
              "small.textproto: fill_jobs.fill_fraction: \"1.5\" must be <= 1");
    EXPECT_EQ(ErrorOf({"fill_jobs.jobs=3", "run.iterations=1"}),
              "small.textproto: run.iterations: \"1\" must be >= 2 with fill_jobs, "
              "warmup_iterations counted: the first "
              "iteration is profiled, and not filled");
}

TEST(FillSection, ErrorsOfRequestsNameTheFieldAndTheRule)
{
    const std::string model = "inference.model=llama3-8b";
    const std::string rate = "inference.generator.requests_per_second=1";
    EXPECT_EQ(ErrorOfSmall({model}),
              "small.textproto: inference: must have exactly one of trace and generator");
    EXPECT_EQ(ErrorOfSmall({model, rate, "inference.trace.file=requests.csv"}),
              "small.textproto: inference: must have exactly one of trace and generator");
    EXPECT_EQ(ErrorOfSmall({model, rate, "inference.ttft_per_1k_tokens=1s"}),
              "small.textproto: inference.ttft_per_1k_tokens: \"1s\" needs "
              "inference.ttft_objective");
}

TEST(FillSection, ChunksAreAsLongAsNoKernelTakesLonger)
{
    const auto chunkWith = [](const std::vector<std::string>& more)
    {
        std::vector<std::string> sets{"inference.model=llama3-8b",
                                      "inference.generator.requests_per_second=1"};
        sets.insert(sets.end(), more.begin(), more.end());
        return LoadSmall(sets).provenance.resolved->inference().chunk_tokens();
    };
    const auto ofOneMs = chunkWith({});
    EXPECT_EQ(ofOneMs % 128, 0);
    EXPECT_GT(ofOneMs, 128);
    EXPECT_GT(chunkWith({"inference.longest_kernel=2ms"}), ofOneMs);
    EXPECT_EQ(chunkWith({"inference.longest_kernel=1us"}), 128);
    EXPECT_EQ(chunkWith({"inference.chunk_tokens=300"}), 300);
    EXPECT_EQ(chunkWith({"inference.chunk_tokens=0"}), 0);
}

TEST(FillSection, ABatchIsAChunkAtMost)
{
    EXPECT_EQ(
        ErrorOfSmall({"inference.model=llama3-8b",
                      "inference.generator.requests_per_second=1",
                      "inference.chunk_tokens=512",
                      "inference.batch_tokens=513"}),
        "small.textproto: inference.batch_tokens: \"513\" must be at most chunk_tokens (512): "
        "prompts that are prefilled together are one chunk");
}

// A catalogue's GPU says by its efficiency whose constants it has.
TEST(FillSection, PrefillsOnAScenariosOwnGpuAreAnEstimate)
{
    const std::vector<std::string> sets{
        "gpu_type[0]={name: \"mine\" peak_tflops: 500 memory: \"80GB\" bandwidth_gb_per_s: 2000 "
        "nvlink_gb_per_s: 200 efficiency {matmul: 0.6 half_side: 700 memory: 0.7}}",
        "data_center[0].gpu=mine"};
    EXPECT_TRUE(LoadSmall(sets).warnings.empty());
    auto serving = sets;
    serving.emplace_back("inference.model=llama3-8b");
    serving.emplace_back("inference.generator.requests_per_second=1");
    EXPECT_EQ(LoadSmall(serving).warnings,
              std::vector<std::string>{"prefill times of mine are an estimate: what a serving "
                                       "engine adds to them is H100's"});
}

// Two replicas: the second one's last stage is on the second node of b, which has A100-80.
TEST(FillSection, EachWorkerRunsProgramsOfItsOwnGpu)
{
    const auto loaded = Load({"fill_jobs.jobs=20",
                              "data_center[1].other_gpus[0].nodes=1",
                              "data_center[1].other_gpus[0].gpu=A100-80"});
    ASSERT_EQ(loaded.jobs[0].fill.workers.size(), 4U);
    const char* const gpus[] = {"V100-16", "V100-16", "V100-16", "A100-80"};
    for (std::size_t worker = 0; worker < 4; ++worker)
    {
        EXPECT_EQ(loaded.jobs[0].fill.workers[worker].gpu, gpus[worker]);
        // The second pipeline has other bubbles than the first.
        EXPECT_EQ(loaded.jobs[0].fill.workers[worker].gpuClass, worker);
    }
    // A100-80 has room for XLM-RoBERTa-XL's training too.
    EXPECT_EQ(loaded.provenance.resolved->fill_jobs().mix_size(), 10);
    for (const FillJob& job : loaded.jobs[0].fill.jobs)
    {
        const bool isForA100 =
            std::any_of(job.programs.begin(),
                        job.programs.end(),
                        [](const auto& program) { return program->IsFor("A100-80"); });
        EXPECT_TRUE(isForA100) << job.model;
    }
}

TEST(FillSection, AScoreIsAPolicyOfTheUsersOwn)
{
    const auto loaded = Load({"fill_jobs.jobs=3",
                              "fill_jobs.policy=score",
                              "fill_jobs.score.processing_time=-1",
                              "fill_jobs.score.deadline=0.5"});
    const FillJob job;
    const FillCandidate candidate{job, 0, Duration::Seconds(20), Duration::Seconds(10)};
    EXPECT_EQ(loaded.jobs[0].fill.options.policy(candidate),
              -20 + 0.5e9); // it has no deadline: 1e9 s
}

TEST(FillSection, AScoreAndItsPolicyComeTogether)
{
    EXPECT_EQ(ErrorOf({"fill_jobs.jobs=3", "fill_jobs.score.processing_time=-1"}),
              "small.textproto: fill_jobs.score: needs fill_jobs.policy score");
    EXPECT_EQ(ErrorOf({"fill_jobs.jobs=3", "fill_jobs.policy=score"}),
              "small.textproto: fill_jobs.policy: \"score\" must not be set without "
              "fill_jobs.score");
}

TEST(FillSection, ModelsThatDoNotFitSayWhatTheyNeed)
{
    const auto error = ErrorOf({"fill_jobs.jobs=3",
                                "fill_jobs.mix[0].model=xlm-roberta-xl",
                                "fill_jobs.mix[0].task=TRAINING"});
    EXPECT_NE(
        error.find(
            "fill_jobs.mix[0].model: \"xlm-roberta-xl\" xlm-roberta-xl training, batch 1 needs"),
        std::string::npos)
        << error;
    EXPECT_NE(error.find("V100-16 has 16 GB"), std::string::npos) << error;
    EXPECT_NE(ErrorOf({"fill_jobs.jobs=3", "fill_jobs.mix[0].model=bert"})
                  .find("must be one of bert-base training"),
              std::string::npos);
}

TEST(FillSection, BrokenTraceRowsNameTheirLine)
{
    EXPECT_EQ(ErrorOf({header, "fill_jobs.trace_line[1]=0,bert-base,training,none"}),
              "small.textproto: fill_jobs.trace_line: line 2: samples: \"none\" must be a whole "
              "number from 1 to 1e12");
}

TEST(FillSection, ImpossibleOperatorsAreRefused)
{
    EXPECT_EQ(
        ErrorOf({"fill_jobs.jobs=1", "fill_jobs.model[0]={name: \"mine\"}"}),
        "small.textproto: fill_jobs.model[0]: \"mine\" operators and samples must be at least 1");
    EXPECT_EQ(ErrorOf({"fill_jobs.jobs=1", "fill_jobs.model[0]={name: \"bert-base\"}"}),
              "small.textproto: fill_jobs.model[0].name: \"bert-base\" is taken by another model");
}

} // namespace

} // namespace geotrain
