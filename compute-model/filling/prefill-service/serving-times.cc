// SPDX-License-Identifier: GPL-2.0-only
#include "prefill-service/serving-times.h"

#include "timing/prefill-time.h"
#include "workload/flop-count.h"

#include <algorithm>
#include <cmath>

namespace geotrain
{

namespace
{

constexpr std::size_t mostKnown = 1u << 16; // entries of each memory of times

std::uint32_t
MeanLength(PromptBatch batch)
{
    return (batch.tokens + batch.prompts - 1) / batch.prompts;
}

} // namespace

ServingTimes::ServingTimes(const ServingRequest& request, const ServingChains& chains)
    : m_model(request.model),
      m_tensorParallel(request.tensorParallel),
      m_chunkTokens(request.chunkTokens),
      m_gpus(request.gpus),
      m_chains(chains)
{
    TimesOf(0, {{1, 1}}); // throws where a group can't share a layer
}

const ServingChains&
ServingTimes::Chains() const
{
    return m_chains;
}

std::uint32_t
ServingTimes::MaxContext() const
{
    return m_model.maxContext;
}

std::uint32_t
ServingTimes::ChunksOf(PromptBatch batch) const
{
    return m_chunkTokens == 0 || batch.prompts > 1
               ? 1
               : (batch.tokens + m_chunkTokens - 1) / m_chunkTokens;
}

PrefillChunk
ServingTimes::ChunkOf(PromptBatch batch, std::uint32_t index) const
{
    const std::uint32_t chunks = ChunksOf(batch);
    if (chunks == 1)
    {
        return {batch};
    }
    const std::uint32_t cached = index * m_chunkTokens;
    return {{std::min(m_chunkTokens, batch.tokens - cached), 1}, cached, index + 1 == chunks};
}

const ServingTimes::TimesOfChunk&
ServingTimes::TimesOf(std::uint32_t gpu, const PrefillChunk& chunk) const
{
    const std::array<std::uint32_t, 5> key{
        gpu, chunk.prompts.tokens, chunk.prompts.prompts, chunk.cached, chunk.isLast ? 1u : 0u};
    const auto known = m_known.find(key);
    if (known != m_known.end())
    {
        return known->second;
    }
    if (m_known.size() >= mostKnown)
    {
        m_known.clear();
    }
    TimesOfChunk& times = m_known[key];
    const PrefillPass pass{m_model,
                           m_gpus[gpu],
                           m_tensorParallel,
                           MeanLength(chunk.prompts),
                           chunk.prompts.prompts,
                           chunk.cached};
    times.kernelEnds = ServingKernelEnds(pass);
    for (StageShare share : m_chains.shares)
    {
        share.hasHead = share.hasHead && chunk.isLast;
        const std::int64_t whole = ServingLayersTime(pass, share).ToNanoseconds();
        const std::int64_t unit = (whole + share.layers - 1) / share.layers;
        times.stages.push_back(
            {share.layers, Duration::Nanoseconds(std::max<std::int64_t>(unit, 1))});
    }
    return times;
}

const std::vector<UnitWork>&
ServingTimes::StagesOf(std::uint32_t gpu, const PrefillChunk& chunk) const
{
    return TimesOf(gpu, chunk).stages;
}

Duration
ServingTimes::StageTime(std::uint32_t gpu, PromptBatch batch, std::size_t stage) const
{
    const std::array<std::uint32_t, 4> key{
        gpu, batch.tokens, batch.prompts, static_cast<std::uint32_t>(stage)};
    const auto known = m_knownStages.find(key);
    if (known != m_knownStages.end())
    {
        return known->second;
    }
    if (m_knownStages.size() >= mostKnown)
    {
        m_knownStages.clear();
    }
    Duration sum;
    for (std::uint32_t index = 0; index < ChunksOf(batch); ++index)
    {
        sum += StagesOf(gpu, ChunkOf(batch, index))[stage].Sum();
    }
    return m_knownStages[key] = sum;
}

Duration
ServingTimes::ComputeTime(std::uint32_t gpu, PromptBatch batch) const
{
    Duration sum;
    for (std::size_t stage = 0; stage < StageCount(); ++stage)
    {
        sum += StageTime(gpu, batch, stage);
    }
    return sum;
}

Duration
ServingTimes::FastestComputeTime(PromptBatch batch) const
{
    Duration fastest = ComputeTime(0, batch);
    for (std::uint32_t gpu = 1; gpu < m_gpus.size(); ++gpu)
    {
        fastest = std::min(fastest, ComputeTime(gpu, batch));
    }
    return fastest;
}

Duration
ServingTimes::RestOfKernel(std::uint32_t gpu,
                           const PrefillChunk& chunk,
                           std::size_t stage,
                           Duration into) const
{
    const TimesOfChunk& times = TimesOf(gpu, chunk);
    const std::int64_t unit = times.stages[stage].unit.ToNanoseconds();
    const std::int64_t intoUnit = into.ToNanoseconds() % unit;
    if (intoUnit == 0)
    {
        return Duration();
    }
    for (const double share : times.kernelEnds)
    {
        const auto end = std::llround(share * static_cast<double>(unit));
        if (end >= intoUnit)
        {
            return Duration::Nanoseconds(end - intoUnit);
        }
    }
    return Duration::Nanoseconds(unit - intoUnit);
}

Duration
ServingTimes::LongestKernel(const PrefillChunk& chunk) const
{
    Duration longest;
    for (std::uint32_t gpu = 0; gpu < m_gpus.size(); ++gpu)
    {
        const TimesOfChunk& times = TimesOf(gpu, chunk);
        double before = 0;
        for (const double end : times.kernelEnds)
        {
            for (const UnitWork& stage : times.stages)
            {
                longest =
                    std::max(longest, Duration::Seconds((end - before) * stage.unit.ToSeconds()));
            }
            before = end;
        }
    }
    return longest;
}

Duration
ServingTimes::Hop(const ServingChain& chain, std::size_t stage, std::uint32_t tokens) const
{
    return chain.hopDelay[stage] + chain.hopRate[stage].TransmissionTime(ActivationOf(tokens));
}

Bytes
ServingTimes::ActivationOf(std::uint32_t tokens) const
{
    return Bytes::Of(bytesPerNumber * m_model.hidden * std::int64_t{tokens});
}

Bytes
ServingTimes::KvOf(std::size_t stage, std::uint32_t tokens) const
{
    return KvCacheBytes(m_model, m_chains.shares[stage], m_tensorParallel, tokens);
}

Bytes
ServingTimes::KvOfWorker(std::size_t stage, std::uint32_t tokens) const
{
    return KvCacheBytes(m_model, m_chains.shares[stage], 1, tokens);
}

double
ServingTimes::FlopsOfUnit(std::size_t stage, const PrefillChunk& chunk) const
{
    StageShare share = m_chains.shares[stage];
    const std::uint32_t prompts = chunk.prompts.prompts;
    const double head = 2.0 * prompts * m_model.hidden * m_model.vocabulary; // last tokens only
    const double headOfLayer = share.hasHead && chunk.isLast ? head / share.layers : 0;
    share.hasHead = false;
    const auto layersOver = [&](std::uint32_t tokens)
    {
        TransformerSpec model = m_model;
        model.sequence = tokens;
        return StageFlops(model, share, prompts).forward.Count() / share.layers;
    };
    const double before = chunk.cached > 0 ? layersOver(chunk.cached) : 0;
    return layersOver(chunk.cached + MeanLength(chunk.prompts)) - before + headOfLayer;
}

std::size_t
ServingTimes::StageCount() const
{
    return m_chains.shares.size();
}

} // namespace geotrain
