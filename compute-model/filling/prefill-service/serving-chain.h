// SPDX-License-Identifier: GPL-2.0-only
// A serving chain is the workers of one data centre that together hold an inference model beside
// training, one pipeline stage each. Chains share no worker. Tensor parallelism is training's: a
// worker's GPUs hold a stage together.
#pragma once

#include "execution/network.h"
#include "filling/bubble.h"
#include "hardware/gpu-spec.h"
#include "workload/stage-share.h"
#include "workload/transformer-spec.h"

#include <string>
#include <vector>

namespace geotrain
{

constexpr std::int64_t bytesPerNumber = 2; ///< of weights and activations: bf16

/// A ServingRequest says which model serves, and which workers it may use.
struct ServingRequest
{
    /// A Worker is one of training's workers.
    struct Worker
    {
        NodeIndex node = 0;
        std::uint32_t dataCenter = 0;
        std::uint32_t gpu = 0; ///< index into gpus
        Bytes free;            ///< free memory per GPU at every moment (AlwaysFree)
    };

    /// A DataCenter has the rate and the delay between its nodes.
    struct DataCenter
    {
        std::string name;
        BitRate nicRate; ///< payload rate per node, inside the data centre
        Duration delay;  ///< one way, between two nodes
    };

    TransformerSpec model;
    std::uint32_t ppDegree = 0; ///< stages per chain; 0: the fewest with which any chain fits
    std::uint32_t tensorParallel = 1;
    std::uint32_t mostTokens = 0; ///< longest prefill, which sets the working memory
    std::uint32_t chunkTokens = 0; ///< longer prompts are prefilled in chunks; 0: whole
    std::vector<GpuSpec> gpus;
    std::vector<Worker> workers;    ///< training's workers
    std::vector<WorkerIndex> order; ///< workers in the order in which chains take them
    std::vector<DataCenter> dataCenters;
    BitRate nodeLocalRate; ///< rate between GPUs of one node
};

/// A ServingChain is one chain of workers.
struct ServingChain
{
    std::uint32_t dataCenter = 0;
    std::uint32_t gpu = 0; ///< slowest GPU type of its workers
    std::vector<WorkerIndex> workers;
    std::vector<NodeIndex> nodes;
    std::vector<BitRate> hopRate; ///< from stage i to i + 1
    std::vector<Duration> hopDelay;
    /// By stage: room for KV caches per GPU, beside weights and working memory.
    std::vector<Bytes> kvRoom;
};

/// ServingChains are all chains of a run, which split the model alike.
struct ServingChains
{
    std::uint32_t ppDegree = 0;
    std::vector<StageShare> shares; ///< part of the model by stage
    std::vector<ServingChain> chains;
    Bytes weights; ///< weights of the largest stage, per GPU
};

/// Returns the weights of a stage on one GPU at 2 bytes per parameter.
Bytes
ServingWeights(const TransformerSpec& model, const StageShare& share, std::uint32_t tensorParallel);

/// Returns what `tokens` tokens leave in the KV cache of a stage on one GPU: keys and values, 2
/// bytes per element. A head that several GPUs share is held by each, and so is the narrow vector of
/// latent attention. Layers with a sliding window hold all tokens too.
Bytes KvCacheBytes(const TransformerSpec& model,
                   const StageShare& share,
                   std::uint32_t tensorParallel,
                   std::uint64_t tokens);

/// Returns the inputs and results of a layer's kernels that are there at once: an estimate of 4
/// hidden and 2 MLP widths per token, and of a hidden width for each expert that a token is sent to.
Bytes ServingWorkingBytes(const TransformerSpec& model,
                          std::uint32_t tensorParallel,
                          std::uint32_t tokens);

/// Makes as many chains as fit. Throws std::invalid_argument, with what would fit, if none does.
ServingChains MakeServingChains(const ServingRequest& request);

} // namespace geotrain
