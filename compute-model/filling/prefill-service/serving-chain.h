// A chain: the workers of one data centre that together hold an inference model, one pipeline stage each, beside
// training. Chains share no worker. Tensor parallelism is training's: a worker's GPUs hold a stage together.
#pragma once

#include "filling/bubble.h"
#include "execution/network.h"
#include "hardware/gpu-spec.h"
#include "workload/stage-share.h"
#include "workload/transformer-spec.h"

#include <string>
#include <vector>

namespace geotrain
{

/// What serves and where it may.
struct ServingRequest
{
    struct Worker
    {
        NodeIndex node = 0;
        std::uint32_t dataCenter = 0;
        std::uint32_t gpu = 0; ///< index into gpus
        Bytes free;            ///< of one GPU, at every moment (AlwaysFree)
    };

    struct DataCenter
    {
        std::string name;
        BitRate nicRate; ///< of a node, for inference
        Duration delay;  ///< one way, between two nodes
    };

    TransformerSpec model;
    std::uint32_t ppDegree = 0; ///< stages of a chain; 0: the least at which any chain fits
    std::uint32_t tensorParallel = 1;
    std::uint32_t mostTokens = 0; ///< of one prefill: sets its working memory
    std::vector<GpuSpec> gpus;
    std::vector<Worker> workers; ///< of training, in the order in which chains take them
    std::vector<WorkerIndex> order;
    std::vector<DataCenter> dataCenters;
    BitRate nodeLocalRate; ///< between GPUs of one node
};

struct ServingChain
{
    std::uint32_t dataCenter = 0;
    std::uint32_t gpu = 0; ///< the slowest of its workers'
    std::vector<WorkerIndex> workers;
    std::vector<NodeIndex> nodes;
    std::vector<BitRate> hopRate; ///< from stage i to i + 1
    std::vector<Duration> hopDelay;
    std::vector<Bytes> kvRoom; ///< by stage: of one GPU, beside weights and working memory
};

struct ServingChains
{
    std::uint32_t ppDegree = 0;
    std::vector<StageShare> shares; ///< of the model, by stage
    std::vector<ServingChain> chains;
    Bytes weights; ///< of the largest stage, on one GPU
};

/// Weights of a stage on one GPU, 2 bytes a parameter.
Bytes
ServingWeights(const TransformerSpec& model, const StageShare& share, std::uint32_t tensorParallel);

/// What `tokens` tokens leave in the KV cache of a stage on one GPU: keys and values, 2 bytes an element. A head
/// that several GPUs share is held by each.
Bytes KvCacheBytes(const TransformerSpec& model,
                   const StageShare& share,
                   std::uint32_t tensorParallel,
                   std::uint64_t tokens);

/// Inputs and results of a layer's kernels that are there at once: an estimate of 4 hidden and 2 MLP widths a token.
Bytes ServingWorkingBytes(const TransformerSpec& model,
                          std::uint32_t tensorParallel,
                          std::uint32_t tokens);

/// As many chains as fit. Throws std::invalid_argument, with what would fit, if none does.
ServingChains MakeServingChains(const ServingRequest& request);

} // namespace geotrain
