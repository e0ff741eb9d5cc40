// SPDX-License-Identifier: GPL-2.0-only
// Tests that trainers' configurations become scenarios which load and run. Expected numbers follow from
// the configurations by hand; each formula stands beside its number.
#include "cli-fixture.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <string>
#include <vector>

namespace
{

using geotrain::Cli;

class Import : public Cli
{
  protected:
    /// Imports, and checks the scenario. Returns the resolved one as JSON.
    nlohmann::json Scenario(const std::string& arguments)
    {
        const auto outcome = Geotrain("import " + arguments);
        EXPECT_EQ(outcome.code, 0) << outcome.error;
        Write("imported.textproto", outcome.out);
        const auto checked = Geotrain("check imported.textproto --json");
        EXPECT_EQ(checked.code, 0) << checked.error << outcome.out;
        return checked.code == 0 ? nlohmann::json::parse(checked.out) : nlohmann::json();
    }

    std::vector<std::string> Listed(const std::string& arguments, const std::string& what)
    {
        const auto outcome = Geotrain("import --json " + arguments);
        EXPECT_EQ(outcome.code, 0) << outcome.error;
        return nlohmann::json::parse(outcome.out)[what].get<std::vector<std::string>>();
    }

    void ExpectError(const std::string& arguments, const std::string& part)
    {
        const auto outcome = Geotrain("import " + arguments);
        EXPECT_EQ(outcome.code, 1) << arguments;
        EXPECT_NE(outcome.error.find(part), std::string::npos) << outcome.error;
        EXPECT_EQ(Lines(outcome.error), 1) << outcome.error;
    }

    static std::int64_t Number(const nlohmann::json& value) // Protobuf's JSON has 64 bits as texts
    {
        return value.is_string() ? std::atoll(value.get<std::string>().c_str())
                                 : value.get<std::int64_t>();
    }
};

constexpr const char* small = "--num-layers 8 --hidden-size 512 --num-attention-heads 8 "
                              "--seq-length 1024 --vocab-size 1000 --micro-batch-size 2 --bf16 ";

TEST_F(Import, TorchtitansFsdpIsZero3OverTheReplicas)
{
    Write("run.toml",
          "[model]\nname = \"llama3\"\nflavor = \"8B\"\n[training]\nlocal_batch_size = 2\n"
          "global_batch_size = 128\nseq_len = 8192\n[optimizer]\nlr = 3e-4\n"
          "[activation_checkpoint]\nmode = \"full\"\n");
    const auto run = Scenario("torchtitan run.toml --gpus 16");
    EXPECT_EQ(run["model"]["catalogue"], "llama3-8b");
    EXPECT_EQ(Number(run["model"]["sequence"]), 8192);
    EXPECT_EQ(Number(run["model"]["microbatch_size"]), 2);
    EXPECT_EQ(Number(run["model"]["microbatches"]), 128 / (16 * 2)); // global / (replicas x local)
    EXPECT_EQ(run["model"]["recomputation"], "FULL");
    EXPECT_EQ(run["model"]["precision"], "BF16");
    EXPECT_EQ(Number(run["model"]["gradient_bytes_per_parameter"]), 4); // reduced in fp32
    EXPECT_EQ(run["parallelism"]["data_parallelism"], "ZERO3");
    EXPECT_EQ(run["parallelism"]["across"], "REPLICAS");
    EXPECT_EQ(Number(run["data_center"][1]["replicas"]), 8);
    EXPECT_EQ(Listed("torchtitan run.toml --gpus 16", "without_counterpart").size(), 0U);
}

// 32 layers, the embedding and the head as one layer each, over 2 x 2 virtual stages: 34 / 4 = 8 and two
// left, which the first two stages take; the first and the last give the embedding and the head back.
TEST_F(Import, TorchtitansPipelineHasItsLayersAndItsSchedule)
{
    Write("run.toml",
          "[model]\nflavor = \"8B\"\n[training]\nlocal_batch_size = 8\n[parallelism]\n"
          "pipeline_parallel_degree = 2\npipeline_parallel_schedule = \"Interleaved1F1B\"\n"
          "tensor_parallel_degree = 2\ndata_parallel_shard_degree = 4\n");
    const auto run = Scenario("torchtitan run.toml");
    EXPECT_EQ(run["schedule"]["name"], "interleaved");
    EXPECT_EQ(Number(run["schedule"]["virtual_stages"]), 2);
    const std::vector<int> expected{8, 9, 8, 7};
    for (std::size_t i = 0; i < expected.size(); ++i)
    {
        EXPECT_EQ(Number(run["parallelism"]["layers_per_stage"][i]), expected[i]);
    }
    EXPECT_EQ(Number(run["model"]["microbatches"]), 8); // of one sequence, as by default
    EXPECT_EQ(Number(run["parallelism"]["data_parallel"]), 4);
    EXPECT_EQ(run["parallelism"]["across"], "STAGES");
    EXPECT_EQ(run["parallelism"]["shard_optimizer"], true);
}

TEST_F(Import, TorchtitansOldNamesAndItsCommandLineAreRead)
{
    Write(
        "run.toml",
        "[model]\nname = \"llama2\"\nflavor = \"7B\"\n[training]\nbatch_size = 4\nseq_len = 2048\n"
        "data_parallel_degree = 4\ntensor_parallel_degree = 2\ncompile = true\n"
        "[experimental]\npipeline_parallel_degree = 2\npipeline_parallel_microbatches = 2\n");
    const auto run =
        Scenario("torchtitan run.toml --training.seq_len=1024 --training.data_parallel_degree 2");
    EXPECT_EQ(Number(run["model"]["sequence"]), 1024);
    EXPECT_EQ(Number(run["model"]["microbatches"]), 2);
    EXPECT_EQ(Number(run["model"]["microbatch_size"]), 2);
    EXPECT_EQ(Number(run["parallelism"]["data_parallel"]), 2);
    EXPECT_EQ(Listed("torchtitan run.toml", "without_counterpart"),
              std::vector<std::string>{"training.compile = true"});
}

// Megatron pads the vocabulary to a multiple of 128 x TP; a gated MLP is 4 hidden x 2/3, in 64s; with
// sequence parallelism and nothing recomputed, SELECTIVE is sequence parallelism alone.
TEST_F(Import, MegatronsArgumentsHaveMegatronsDefaults)
{
    const auto run =
        Scenario(std::string("megatron ") + small +
                 "--swiglu --tensor-model-parallel-size 2 --sequence-parallel "
                 "--pipeline-model-parallel-size 2 --num-layers-per-virtual-pipeline-stage 2 "
                 "--global-batch-size=32 --nproc_per_node 8 --nnodes 2 "
                 "--use-distributed-optimizer --untie-embeddings-and-output-weights");
    const auto& model = run["model"]["transformer"];
    EXPECT_EQ(Number(model["vocabulary"]), 1024); // 4 x 256
    EXPECT_EQ(Number(model["ffn_width"]), 1344);  // 2048 x 2/3 = 1365
    EXPECT_EQ(model["tied_embeddings"], false);
    EXPECT_EQ(run["model"]["recomputation"], "SELECTIVE");
    EXPECT_EQ(Number(run["model"]["gradient_bytes_per_parameter"]), 4);
    EXPECT_EQ(Number(run["parallelism"]["data_parallel"]), 4); // 16 GPUs / (2 x 2)
    EXPECT_EQ(Number(run["model"]["microbatches"]), 4);        // 32 / (4 x 2)
    EXPECT_EQ(Number(run["schedule"]["virtual_stages"]), 2);   // 8 layers / 2 stages / 2
    EXPECT_EQ(run["parallelism"]["shard_optimizer"], true);
}

TEST_F(Import, AScriptIsReadAsTheArgumentsItPasses)
{
    Write("train.sh",
          "#!/bin/bash\nexport CUDA_DEVICE_MAX_CONNECTIONS=1\nGPUS=8\nNODES=${SLURM_NNODES:-2}\n"
          "DATA=<path>\nMODEL=(\n  --num-layers 8 # of 8\n  --hidden-size 512\n"
          "  --num-attention-heads 8\n)\nTRAIN=\"--micro-batch-size 1 --global-batch-size 32 "
          "--fp16\"\n"
          "echo --this is not it\n"
          "torchrun --nproc_per_node $GPUS --nnodes $NODES pretrain_gpt.py \\\n  ${MODEL[@]} "
          "$TRAIN \\\n"
          "  --seq-length 512 --lr 6.0e-5 --data-path $DATA_PATH --save $1 --rampup-batch-size 16 "
          "16 100 \\\n"
          "  2>&1 | tee log.txt\n");
    const auto run = Scenario("megatron train.sh");
    EXPECT_EQ(Number(run["parallelism"]["data_parallel"]), 16);
    EXPECT_EQ(Number(run["model"]["microbatches"]), 2);
    EXPECT_EQ(run["model"]["precision"], "FP16");
    EXPECT_EQ(Number(run["model"]["gradient_bytes_per_parameter"]), 2);
    EXPECT_EQ(Listed("megatron train.sh", "without_counterpart"),
              std::vector<std::string>{"rampup_batch_size = 16 16 100"});
}

// Conditions are followed. Where the text alone doesn't tell, variables that it doesn't set are empty and
// files are there, and it is said so. What only a branch that is not run would set is empty. The script
// gets no arguments of its own.
TEST_F(Import, BranchesIntegersAndArraysOfAScriptAreFollowed)
{
    Write(
        "train.sh",
        "GPUS=8\nNODES=${SLURM_NNODES:-\"2\"}\nDTYPE=\"fp8\"\n"
        "BATCH=$(($GPUS * ${NODES} * (1 + 1)))\n"
        "MODEL=( --num-layers 8 --hidden-size 512 --num-attention-heads 8 --seq-length 512 )\n"
        "TRAIN=( --micro-batch-size 1 --global-batch-size $BATCH )\n"
        "OTHER=()\nTRAIN+=(\"${OTHER[@]}\")\n"
        "if [[ \"$DTYPE\" == \"fp8\" ]] && [ $NODES -gt 1 ]; then\n"
        "  TRAIN+=(\n    \"--fp8-format hybrid\"\n    --bf16\n  )\nelse\n  TRAIN+=( --fp16 )\nfi\n"
        "if [ -n \"${WANDB_API_KEY}\" ]; then\n  for i in 1 2; do TRAIN+=( --wandb ); done\n"
        "elif [ ! -f p.py ]; then\n  LOG=( --log-interval 1 )\n  exit 1\nfi\n"
        "[ \"$DTYPE\" = bf16 ] && TP=4 || TP=2\n"
        "cat <<EOT > config.json\n{ \"it's\": --num-layers 99 }\nEOT\n"
        "torchrun --nproc_per_node $GPUS --nnodes $NODES p.py \"${MODEL[@]}\" \\\n"
        "  \"${TRAIN[@]}\" ${LOG[@]} --tensor-model-parallel-size $TP \"$@\"\n");
    const auto run = Scenario("megatron train.sh");
    EXPECT_EQ(run["model"]["precision"], "FP8");
    EXPECT_EQ(Number(run["model"]["transformer"]["layers"]), 8);
    EXPECT_EQ(Number(run["parallelism"]["tensor_parallel"]), 2);
    EXPECT_EQ(Number(run["parallelism"]["data_parallel"]), 8); // 16 GPUs / 2
    EXPECT_EQ(Number(run["model"]["microbatches"]), 4);        // 32 / 8
    const auto assumed = Listed("megatron train.sh", "assumed");
    EXPECT_EQ(std::count(assumed.begin(),
                         assumed.end(),
                         "the script's condition [ -n ${WANDB_API_KEY} ] as false"),
              1);
    EXPECT_EQ(
        std::count(assumed.begin(), assumed.end(), "the script's condition [ ! -f p.py ] as false"),
        1);
}

TEST_F(Import, MegatronsExpertsKeepTheirLayersAndWidths)
{
    const auto run =
        Scenario(std::string("megatron '") + small +
                 "--num-experts 8 --moe-router-topk 2 --moe-ffn-hidden-size 256 "
                 "--moe-shared-expert-intermediate-size 128 --moe-layer-freq ([0]*2+[1]*6) "
                 "--expert-model-parallel-size 4 --gpus 8'");
    EXPECT_EQ(Number(run["parallelism"]["expert_parallel"]), 4);
    const auto& experts = run["model"]["transformer"]["experts"];
    EXPECT_EQ(Number(experts["count"]), 8);
    EXPECT_EQ(Number(experts["per_token"]), 2);
    EXPECT_EQ(Number(experts["width"]), 256);
    EXPECT_EQ(Number(experts["shared_width"]), 128);
    EXPECT_EQ(Number(run["model"]["transformer"]["layer_group"][0]["layers"]), 2);
    EXPECT_EQ(run["model"]["transformer"]["layer_group"][0]["dense"], true);
}

TEST_F(Import, NemosKeysAndInterpolationsAreRead)
{
    Write(
        "run.yaml",
        "run:\n  results_dir: ${base_results_dir}/x\ntrainer:\n  num_nodes: 4\n  devices: 8\n"
        "  precision: bf16\nmodel:\n  micro_batch_size: 1\n  global_batch_size: 64\n"
        "  tensor_model_parallel_size: 4\n  pipeline_model_parallel_size: 2\n"
        "  encoder_seq_length: 2048\n  max_position_embeddings: ${.encoder_seq_length}\n"
        "  num_layers: 8\n  hidden_size: 1024\n  ffn_hidden_size: ${multiply:4, ${.hidden_size}}\n"
        "  num_attention_heads: 16\n  num_query_groups: null\n  bias: false\n  activation: swiglu\n"
        "  tokenizer: {library: megatron, type: GPT2BPETokenizer}\n"
        "  activations_checkpoint_granularity: full\n  overlap_p2p_comm: True\n"
        "  optim: {name: distributed_fused_adam, lr: 1e-4, bucket_cap_mb: 200, overlap_grad_sync: "
        "true}\n"
        "  data: {seq_length: '${model.encoder_seq_length}', data_prefix: [0.5, a, 0.5, b]}\n");
    const auto run = Scenario("nemo run.yaml model.num_layers=16");
    EXPECT_EQ(Number(run["model"]["transformer"]["layers"]), 16);
    EXPECT_EQ(Number(run["model"]["transformer"]["ffn_width"]), 4096);
    EXPECT_EQ(Number(run["model"]["transformer"]["vocabulary"]), 50688); // 99 x 128 x 4 >= 50257
    EXPECT_EQ(Number(run["parallelism"]["data_parallel"]), 4);           // 32 / (4 x 2)
    EXPECT_EQ(Number(run["model"]["microbatches"]), 16);
    EXPECT_EQ(run["model"]["recomputation"], "FULL");
    EXPECT_EQ(run["parallelism"]["shard_optimizer"], true);
    EXPECT_EQ(run["parallelism"]["gradient_bucket"], "209715200B"); // 200 x 2^20
    EXPECT_EQ(Listed("nemo run.yaml", "without_counterpart"),
              std::vector<std::string>{"model.overlap_p2p_comm = True"});
}

TEST_F(Import, AnImportedScenarioRuns)
{
    Write(
        "imported.textproto",
        Geotrain(std::string("import megatron ") + small + "--pipeline-model-parallel-size 2").out);
    const auto outcome = Geotrain("run imported.textproto --out imported");
    EXPECT_EQ(outcome.code, 0) << outcome.error;
    EXPECT_NE(outcome.out.find("iteration"), std::string::npos);
}

// The interleaved schedule needs microbatches that the stages divide, and torchtitan's default batch of 8
// over 3 stages has none.
TEST_F(Import, AScheduleWithoutAnOrderIsReplacedAndSaidSo)
{
    Write("run.toml",
          "[model]\nflavor = \"8B\"\n[parallelism]\npipeline_parallel_degree = 3\n"
          "pipeline_parallel_schedule = \"Interleaved1F1B\"\n");
    EXPECT_EQ(Scenario("torchtitan run.toml")["schedule"]["name"], "1f1b");
    EXPECT_NE(Listed("torchtitan run.toml", "assumed").back().find("1F1B as the schedule"),
              std::string::npos);
}

TEST_F(Import, WhatCantBeReadEndsWithOneLineThatSaysWhere)
{
    Write("broken.toml", "a = [");
    Write("deep.toml", "a = " + std::string(100000, '['));
    Write("keys.toml", std::string(5000, 'a') + std::string(200000, '.') + "b = 1");
    Write("huge.toml", std::string(2000000, '#'));
    Write("type.toml", "[training]\nseq_len = \"8192\"\n");
    Write("flavour.toml", "[model]\nflavor = \"9B\"\n");
    Write("degree.toml", "[parallelism]\ndata_parallel_shard_degree = 3\n");
    ExpectError("torchtitan broken.toml", "broken.toml: line");
    ExpectError("torchtitan deep.toml", "deep at most");
    ExpectError("torchtitan keys.toml", "keys.toml: ");
    ExpectError("torchtitan huge.toml", "at most 1 MiB");
    ExpectError("torchtitan type.toml",
                "type.toml: training.seq_len: \"8192\" must be a whole number");
    ExpectError("torchtitan flavour.toml", "model.flavor: \"9B\" must be");
    ExpectError("torchtitan degree.toml --gpus 8", "data_parallel_shard_degree: \"3\" must agree");
    ExpectError("torchtitan nowhere.toml", "nowhere.toml: cannot be read");
    ExpectError("torchtitan", "needs a file");
    ExpectError("megatron ''", "needs arguments");
    Write("broken.yaml", "a: b: c");
    Write("bomb.yaml",
          "a: &a [x, x, x, x, x, x, x, x, x, x]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a]\n"
          "c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b]\nd: &d [*c, *c, *c, *c, *c, *c, *c, *c]\n"
          "e: &e [*d, *d, *d, *d, *d, *d, *d, *d, *d]\nf: [*e, *e, *e, *e, *e, *e, *e, *e]\n");
    Write("cycle.yaml", "a: &a\n  b: *a\n");
    Write("missing.yaml", "defaults: [other]\nmodel:\n  num_layers: 2\n  hidden_size: ???\n");
    Write("loop.yaml", "model:\n  num_layers: ${.num_layers}\n");
    ExpectError("nemo broken.yaml", "broken.yaml: line 1");
    ExpectError("nemo bomb.yaml", "nodes");
    ExpectError("nemo cycle.yaml", "deep at most");
    ExpectError("nemo missing.yaml", "hidden_size: is missing: the file takes it from others");
    ExpectError("nemo loop.yaml", "model.num_layers");
    ExpectError("nemo run.yaml nonsense", "cannot be read");
}

TEST_F(Import, AShellVariableThatIsNotSetIsNamed)
{
    ExpectError("megatron '--num-layers $LAYERS --hidden-size 64'", "num_layers: \"$LAYERS\"");
    ExpectError("megatron 'torchrun $DISTRIBUTED_ARGS p.py --num-layers 2'",
                "\"$DISTRIBUTED_ARGS\"");
    ExpectError("megatron '--bf16 ${MODEL_ARGS[@]} --num-layers 2'", "\"${MODEL_ARGS[@]}\"");
    ExpectError("megatron '--num-layers 2 --lr \"1e-4'", "quote that does not end");
    ExpectError("megatron 'for i in 1 2; do torchrun --num-layers 2; done'", "control flow");
    ExpectError("megatron 'if true; then torchrun --num-layers 2'", "has no fi");
    ExpectError(std::string("megatron ") + small + "--gpus 16 --global-batch-size 33",
                "multiple of 32");
}

} // namespace
