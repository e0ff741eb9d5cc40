// Before when a prefill can't end on a chain: for each chain a lower bound, which holds for every prefill of a length
// class. A bound is the earliest end of the shortest prefill of the class when it was last asked for; it stays one
// while time passes and the chain's free time shrinks, and is forgotten when that grows. So a search asks only the
// chains whose bound is below the best end that it has.
#pragma once

#include "prefill-service/least-tree.h"
#include "prefill-service/prefill-demand.h"

#include <vector>

namespace geotrain
{

class EndBounds
{
  public:
    /// What is known of a chain in a class.
    struct Known
    {
        std::uint32_t version = 0; ///< of the chain's free time
        Instant start =
            Instant::FromNanoseconds(INT64_MIN); ///< of the shortest prefill: exact until then
    };

    /// The bounds of one length class.
    struct LengthClass
    {
        PrefillDemand shortest;
        LeastTree ends; ///< by chain, ns; LeastTree::nothing: it fits nowhere
        std::vector<Known> known;
    };

    /// Of prefills of up to `mostTokens`. Longer ones belong to the last class.
    EndBounds(std::size_t chains,
              std::uint32_t mostTokens,
              const ServingTimes& times,
              const HopRates& hops);

    LengthClass& ClassOf(const PrefillDemand& demand);

    /// The chain's free time has become less.
    void Shrunk(std::size_t chain);

    /// It has become more, or other.
    void Grown(std::size_t chain);

    /// Time went back: nothing is known of any chain.
    void ForgetAll();

    bool IsExact(const LengthClass& of, std::size_t chain, Instant ready) const;

    /// The earliest end of the class's shortest prefill on the chain, where it would begin at `start`.
    /// Instant::Never(): it fits nowhere.
    void Set(LengthClass& of, std::size_t chain, Instant end, Instant start);

  private:
    std::vector<LengthClass> m_classes; ///< by length
    std::vector<std::uint32_t> m_versions;
};

} // namespace geotrain
