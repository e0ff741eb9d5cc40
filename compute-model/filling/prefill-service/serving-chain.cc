// SPDX-License-Identifier: GPL-2.0-only
#include "prefill-service/serving-chain.h"

#include "workload/model-catalogue.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>
#include <stdexcept>

namespace geotrain
{

namespace
{

std::string
Gigabytes(Bytes size)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.1f GB", static_cast<double>(size.Count()) * 1e-9);
    return text;
}

/// Returns what a stage needs per GPU: weights, working memory, and the KV cache of the longest
/// prefill.
Bytes
Needed(const ServingRequest& request, const StageShare& share)
{
    return ServingWeights(request.model, share, request.tensorParallel) +
           ServingWorkingBytes(request.model, request.tensorParallel, request.mostTokens) +
           KvCacheBytes(request.model, share, request.tensorParallel, request.mostTokens);
}

ServingChain
MakeChain(const ServingRequest& request,
          const std::vector<StageShare>& shares,
          const WorkerIndex* workers)
{
    ServingChain chain;
    chain.dataCenter = request.workers[workers[0]].dataCenter;
    chain.gpu = request.workers[workers[0]].gpu;
    const auto& dataCenter = request.dataCenters[chain.dataCenter];
    for (std::size_t stage = 0; stage < shares.size(); ++stage)
    {
        const auto& worker = request.workers[workers[stage]];
        chain.workers.push_back(workers[stage]);
        chain.nodes.push_back(worker.node);
        const Bytes used =
            ServingWeights(request.model, shares[stage], request.tensorParallel) +
            ServingWorkingBytes(request.model, request.tensorParallel, request.mostTokens);
        chain.kvRoom.push_back(worker.free - used);
        if (stage + 1 < shares.size())
        {
            const bool isLocal = worker.node == request.workers[workers[stage + 1]].node;
            chain.hopRate.push_back(isLocal ? request.nodeLocalRate : dataCenter.nicRate);
            chain.hopDelay.push_back(isLocal ? Duration() : dataCenter.delay);
        }
        if (request.gpus[worker.gpu].peakFlopsPerSecond <
            request.gpus[chain.gpu].peakFlopsPerSecond)
        {
            chain.gpu = worker.gpu;
        }
    }
    return chain;
}

/// Takes the workers of each data centre by GPU type and then in the request's order, so that few
/// chains mix types, and leaves out those with too little memory.
ServingChains
ChainsOf(const ServingRequest& request, std::uint32_t ppDegree)
{
    ServingChains made;
    made.ppDegree = ppDegree;
    made.shares = SplitEvenly(request.model, ppDegree);
    Bytes most;
    for (const StageShare& share : made.shares)
    {
        most = std::max(most, Needed(request, share));
        made.weights =
            std::max(made.weights, ServingWeights(request.model, share, request.tensorParallel));
    }
    std::map<std::uint32_t, std::vector<WorkerIndex>> workersOf; // by data centre
    for (const WorkerIndex worker : request.order)
    {
        if (!(request.workers[worker].free < most))
        {
            workersOf[request.workers[worker].dataCenter].push_back(worker);
        }
    }
    for (auto& [dataCenter, workers] : workersOf)
    {
        std::stable_sort(workers.begin(),
                         workers.end(),
                         [&request](WorkerIndex a, WorkerIndex b)
                         { return request.workers[a].gpu < request.workers[b].gpu; });
        for (std::size_t first = 0; first + ppDegree <= workers.size(); first += ppDegree)
        {
            made.chains.push_back(MakeChain(request, made.shares, &workers[first]));
        }
    }
    return made;
}

/// Returns the most workers that one data centre has; with `room`, it counts only those with that
/// much free memory.
std::uint32_t
MostWorkers(const ServingRequest& request, std::optional<Bytes> room = std::nullopt)
{
    std::map<std::uint32_t, std::uint32_t> workers;
    std::uint32_t most = 0;
    for (const auto& worker : request.workers)
    {
        if (!room || !(worker.free < *room))
        {
            most = std::max(most, ++workers[worker.dataCenter]);
        }
    }
    return most;
}

/// Returns the most stages per chain: each needs a worker and a layer.
std::uint32_t
LargestDegree(const ServingRequest& request)
{
    return std::min(MostWorkers(request), request.model.layers);
}

std::optional<ServingChains>
LeastThatFits(const ServingRequest& request)
{
    for (std::uint32_t degree = 1; degree <= LargestDegree(request); ++degree)
    {
        ServingChains made = ChainsOf(request, degree);
        if (!made.chains.empty())
        {
            return made;
        }
    }
    return std::nullopt;
}

std::string
WhatWouldFit(ServingRequest request)
{
    if (const auto fits = LeastThatFits(request))
    {
        return "it fits from a pp_degree of " + std::to_string(fits->ppDegree);
    }
    std::string names;
    for (const TransformerSpec& model : ModelCatalogue())
    {
        request.model = model;
        request.mostTokens = std::min(request.mostTokens, model.maxContext);
        if (model.heads % request.tensorParallel == 0 && LeastThatFits(request))
        {
            names += (names.empty() ? "" : ", ") + model.name;
        }
    }
    return names.empty() ? "no model of the catalogue fits at any pp_degree: train with fewer live "
                           "activations, sharded optimiser state or more stages"
                         : "it fits at no pp_degree; models that do: " + names;
}

std::string
WhyTooLarge(const ServingRequest& request)
{
    return "can't have a pp_degree of " + std::to_string(request.ppDegree) +
           ": a stage needs a worker and a layer of its own, a data centre has " +
           std::to_string(MostWorkers(request)) + " workers at most, the model " +
           std::to_string(request.model.layers) + " layers";
}

std::string
WhyNoRoom(const ServingRequest& request)
{
    Bytes mostFree;
    for (const auto& worker : request.workers)
    {
        mostFree = std::max(mostFree, worker.free);
    }
    const std::uint32_t degree = request.ppDegree > 0 ? request.ppDegree : LargestDegree(request);
    const Bytes needed = Needed(request, SplitEvenly(request.model, degree).front());
    std::string why = "needs " + Gigabytes(needed) + " of each GPU at a pp_degree of " +
                      std::to_string(degree) + " (weights, and " +
                      std::to_string(request.mostTokens) + " tokens), training leaves " +
                      Gigabytes(mostFree) + " at most";
    if (const auto workers = MostWorkers(request, needed); workers > 0)
    {
        why +=
            ", and as much as needed to " + std::to_string(workers) + " of a data centre's workers";
    }
    return why;
}

} // namespace

Bytes
ServingWeights(const TransformerSpec& model, const StageShare& share, std::uint32_t tensorParallel)
{
    return Bytes::Of(bytesPerNumber * StageParameters(model, share) / tensorParallel);
}

Bytes
KvCacheBytes(const TransformerSpec& model,
             const StageShare& share,
             std::uint32_t tensorParallel,
             std::uint64_t tokens)
{
    const std::int64_t heads = (model.kvHeads + tensorParallel - 1) / tensorParallel;
    const std::int64_t narrow = std::int64_t{model.latent.kvRank} + model.latent.rotaryWidth;
    const std::int64_t widths =
        narrow > 0 ? narrow : heads * (model.headWidth + model.ValueWidth());
    return Bytes::Of(bytesPerNumber * widths * share.layers * static_cast<std::int64_t>(tokens));
}

Bytes
ServingWorkingBytes(const TransformerSpec& model,
                    std::uint32_t tensorParallel,
                    std::uint32_t tokens)
{
    const ExpertSpec& experts = model.experts;
    const std::int64_t chosen =
        std::int64_t{experts.perToken} * experts.width + experts.sharedWidth;
    const std::int64_t inner = std::max<std::int64_t>(model.ffnWidth, chosen);
    const std::int64_t widths =
        (4 + std::int64_t{experts.perToken}) * model.hidden + 2 * inner / tensorParallel;
    return Bytes::Of(bytesPerNumber * widths * tokens);
}

ServingChains
MakeServingChains(const ServingRequest& request)
{
    if (request.ppDegree > 0 && request.ppDegree <= LargestDegree(request))
    {
        ServingChains made = ChainsOf(request, request.ppDegree);
        if (!made.chains.empty())
        {
            return made;
        }
    }
    else if (request.ppDegree == 0)
    {
        if (const auto made = LeastThatFits(request))
        {
            return *made;
        }
    }
    throw std::invalid_argument(
        (request.ppDegree > LargestDegree(request) ? WhyTooLarge(request) : WhyNoRoom(request)) +
        "; " + WhatWouldFit(request));
}

} // namespace geotrain
