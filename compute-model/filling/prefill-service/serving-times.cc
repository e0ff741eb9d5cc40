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

constexpr std::size_t mostKnown = 1u << 17; // entries of the memory of times

std::uint32_t
MeanLength(PromptBatch batch)
{
    return (batch.tokens + batch.prompts - 1) / batch.prompts;
}

} // namespace

ServingTimes::ServingTimes(const ServingRequest& request, const ServingChains& chains)
    : m_model(request.model),
      m_tensorParallel(request.tensorParallel),
      m_gpus(request.gpus),
      m_chains(chains)
{
    StagesOf(0, {1, 1}); // throws where a group can't share a layer
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

const std::vector<UnitWork>&
ServingTimes::StagesOf(std::uint32_t gpu, PromptBatch batch) const
{
    const std::uint64_t key =
        (std::uint64_t{gpu} << 52) | (std::uint64_t{batch.prompts} << 32) | batch.tokens;
    const auto known = m_known.find(key);
    if (known != m_known.end())
    {
        return known->second;
    }
    if (m_known.size() >= mostKnown)
    {
        m_known.clear();
    }
    std::vector<UnitWork>& stages = m_known[key];
    const std::uint32_t mean = MeanLength(batch);
    for (const StageShare& share : m_chains.shares)
    {
        const std::int64_t whole =
            ServingLayersTime({m_model, m_gpus[gpu], m_tensorParallel, mean, batch.prompts}, share)
                .ToNanoseconds();
        const std::int64_t unit = (whole + share.layers - 1) / share.layers;
        stages.push_back({share.layers, Duration::Nanoseconds(std::max<std::int64_t>(unit, 1))});
    }
    return stages;
}

Duration
ServingTimes::ComputeTime(std::uint32_t gpu, PromptBatch batch) const
{
    Duration sum;
    for (const UnitWork& stage : StagesOf(gpu, batch))
    {
        sum += stage.unit * stage.units;
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
                           PromptBatch batch,
                           std::size_t stage,
                           Duration intoUnit) const
{
    const std::int64_t unit = StagesOf(gpu, batch)[stage].unit.ToNanoseconds();
    for (const double share : ServingKernelEnds(
             {m_model, m_gpus[gpu], m_tensorParallel, MeanLength(batch), batch.prompts}))
    {
        const auto end = std::llround(share * static_cast<double>(unit));
        if (end >= intoUnit.ToNanoseconds())
        {
            return Duration::Nanoseconds(end) - intoUnit;
        }
    }
    return Duration::Nanoseconds(unit) - intoUnit;
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

Duration
ServingTimes::ShortestUnit() const
{
    Duration shortest = Duration::Nanoseconds(INT64_MAX);
    for (std::uint32_t gpu = 0; gpu < m_gpus.size(); ++gpu)
    {
        for (const UnitWork& stage : StagesOf(gpu, {1, 1}))
        {
            shortest = std::min(shortest, stage.unit);
        }
    }
    return shortest;
}

double
ServingTimes::FlopsOfUnit(std::size_t stage, PromptBatch batch) const
{
    TransformerSpec model = m_model;
    model.sequence = MeanLength(batch);
    StageShare share = m_chains.shares[stage];
    const double head = 2.0 * batch.prompts * model.hidden * model.vocabulary; // last tokens only
    const double headOfLayer = share.hasHead ? head / share.layers : 0;
    share.hasHead = false;
    return StageFlops(model, share, batch.prompts).forward.Count() / share.layers + headOfLayer;
}

std::size_t
ServingTimes::StageCount() const
{
    return m_chains.shares.size();
}

} // namespace geotrain
