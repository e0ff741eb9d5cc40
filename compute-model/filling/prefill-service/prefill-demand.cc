// SPDX-License-Identifier: GPL-2.0-only
#include "prefill-service/prefill-demand.h"

#include <algorithm>

namespace geotrain
{

HopRates::HopRates(const std::vector<ServingChain>& chains)
{
    for (const ServingChain& chain : chains)
    {
        auto& ofChain = m_rateOf.emplace_back();
        for (const BitRate rate : chain.hopRate)
        {
            const auto known = std::find(m_rates.begin(), m_rates.end(), rate);
            ofChain.push_back(static_cast<std::size_t>(known - m_rates.begin()));
            if (known == m_rates.end())
            {
                m_rates.push_back(rate);
            }
        }
    }
}

const std::vector<BitRate>&
HopRates::Rates() const
{
    return m_rates;
}

std::size_t
HopRates::Of(std::size_t chain, std::size_t stage) const
{
    return m_rateOf[chain][stage];
}

bool
PrefillDemand::IsWithin(const PrefillDemand& other) const
{
    if (batch.tokens > other.batch.tokens)
    {
        return false;
    }
    for (std::size_t gpu = 0; gpu < gpus.size(); ++gpu)
    {
        for (std::size_t stage = 0; stage < gpus[gpu].stages.size(); ++stage)
        {
            if (gpus[gpu].stages[stage].unit > other.gpus[gpu].stages[stage].unit)
            {
                return false;
            }
        }
    }
    return true;
}

void
SetDemand(PrefillDemand& demand, PromptBatch batch, const ServingTimes& times, const HopRates& hops)
{
    demand.batch = batch;
    demand.gpus.resize(times.GpuCount());
    for (std::uint32_t gpu = 0; gpu < demand.gpus.size(); ++gpu)
    {
        auto& on = demand.gpus[gpu];
        on.stages = times.StagesOf(gpu, batch);
        on.after.assign(on.stages.size(), Duration());
        for (std::size_t stage = on.stages.size() - 1; stage > 0; --stage)
        {
            on.after[stage - 1] = on.after[stage] + on.stages[stage].unit * on.stages[stage].units;
        }
    }
    demand.passing.clear();
    for (const BitRate rate : hops.Rates())
    {
        demand.passing.push_back(times.PassingTime(rate, batch.tokens));
    }
    demand.kv.clear();
    for (std::size_t stage = 0; stage < times.StageCount(); ++stage)
    {
        demand.kv.push_back(times.KvOf(stage, batch.tokens));
    }
}

} // namespace geotrain
