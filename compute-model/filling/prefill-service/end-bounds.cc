// SPDX-License-Identifier: GPL-2.0-only
#include "prefill-service/end-bounds.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace geotrain
{

namespace
{

constexpr std::int64_t unknown = -1; // below every end

// Fine classes leave few chains below the best end, and coarse ones are brought up to date by fewer
// searches. With N chains the sum is least at a width of about 1/sqrt(N). The factor was measured
// on 1,000 GPUs.
double
RatioOf(std::size_t chains)
{
    return 1 + 3 / std::sqrt(static_cast<double>(chains));
}

constexpr double tokensStep = 1.02; // ratio of the prompt lengths that are tried as class limits

} // namespace

EndBounds::EndBounds(std::size_t chains,
                     std::uint32_t mostTokens,
                     const ServingTimes& times,
                     const HopRates& hops)
    : m_versions(chains)
{
    Duration last;
    PrefillDemand demand;
    for (double exact = 1; exact <= mostTokens; exact = std::max(exact * tokensStep, exact + 1))
    {
        const PromptBatch batch{static_cast<std::uint32_t>(exact), 1};
        const Duration time = times.FastestComputeTime(batch);
        if (m_classes.empty() || time.ToSeconds() > RatioOf(chains) * last.ToSeconds())
        {
            SetDemand(demand, batch, times, hops);
            m_classes.push_back({demand, LeastTree(chains, unknown), std::vector<Known>(chains)});
            last = time;
        }
    }
}

EndBounds::LengthClass&
EndBounds::ClassOf(const PrefillDemand& demand)
{
    std::size_t first = 0; // its shortest prefill is within the demand
    std::size_t behind = m_classes.size();
    while (behind - first > 1)
    {
        const std::size_t middle = (first + behind) / 2;
        (m_classes[middle].shortest.IsWithin(demand) ? first : behind) = middle;
    }
    return m_classes[first];
}

void
EndBounds::Shrunk(std::size_t chain)
{
    ++m_versions[chain];
}

void
EndBounds::Grown(std::size_t chain)
{
    ++m_versions[chain];
    for (LengthClass& of : m_classes)
    {
        of.ends.Set(chain, unknown);
    }
}

void
EndBounds::ForgetAll()
{
    for (std::size_t chain = 0; chain < m_versions.size(); ++chain)
    {
        Grown(chain);
    }
}

bool
EndBounds::IsExact(const LengthClass& of, std::size_t chain, Instant ready) const
{
    const Known& known = of.known[chain];
    return known.version == m_versions[chain] && ready <= known.start;
}

void
EndBounds::Set(LengthClass& of, std::size_t chain, Instant end, Instant start)
{
    of.ends.Set(chain, end.ToNanoseconds());
    of.known[chain] = {m_versions[chain], start};
}

} // namespace geotrain
