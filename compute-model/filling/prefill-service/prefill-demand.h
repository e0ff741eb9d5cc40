// SPDX-License-Identifier: GPL-2.0-only
// Describes what a prefill needs of any chain: its stages' layers, what follows each of them, and
// its hops. It is computed once and tried on many chains.
#pragma once

#include "prefill-service/serving-times.h"

#include <vector>

namespace geotrain
{

/// HopRates lists the different rates of the chains' hops, and which one each hop has.
class HopRates
{
  public:
    /// Collects the rates of the hops of `chains`.
    explicit HopRates(const std::vector<ServingChain>& chains);

    const std::vector<BitRate>& Rates() const;

    /// Returns the index into Rates() of the hop behind `stage`.
    std::size_t Of(std::size_t chain, std::size_t stage) const;

  private:
    std::vector<BitRate> m_rates;
    std::vector<std::vector<std::size_t>> m_rateOf; ///< [chain][stage]
};

/// A PrefillDemand is what one prefill needs.
struct PrefillDemand
{
    /// OnGpu is the compute that the prefill needs on one GPU type.
    struct OnGpu
    {
        std::vector<UnitWork> stages;
        std::vector<Duration> after; ///< by stage: compute of all stages behind it
    };

    PromptBatch batch;
    std::vector<OnGpu> gpus; ///< by GPU type
    /// Time per activation, by index into HopRates::Rates().
    std::vector<Duration> passing;
    std::vector<Bytes> kv; ///< KV cache per GPU, by stage

    /// Returns whether no chain ends it later than `other`: no layer, hop or KV cache of it is
    /// longer.
    bool IsWithin(const PrefillDemand& other) const;
};

/// Fills in `demand`, whose memory is reused.
void SetDemand(PrefillDemand& demand,
               PromptBatch batch,
               const ServingTimes& times,
               const HopRates& hops);

} // namespace geotrain
