// SPDX-License-Identifier: GPL-2.0-only
// Keeps, for each chain, a lower bound of the end of every prefill of a length class. A bound is
// the earliest end of the shortest prefill of the class when it was last computed. It stays valid
// while time passes and the chain's free time shrinks, and is forgotten when that grows. So a
// search visits only the chains whose bound is below the best end that it has.
#pragma once

#include "prefill-service/least-tree.h"
#include "prefill-service/prefill-demand.h"

#include <vector>

namespace geotrain
{

/// EndBounds holds the bounds of all chains and length classes.
class EndBounds
{
  public:
    /// Known is what is known of a chain in a class.
    struct Known
    {
        std::uint32_t version = 0; ///< version of the chain's free time
        /// Start of the shortest prefill; the bound is exact until then.
        Instant start = Instant::FromNanoseconds(INT64_MIN);
    };

    /// A LengthClass holds the bounds of one class of prompt lengths.
    struct LengthClass
    {
        PrefillDemand shortest;
        LeastTree ends; ///< end by chain in ns; LeastTree::nothing where it fits nowhere
        std::vector<Known> known;
    };

    /// Makes classes for prefills of up to `mostTokens`. Longer ones belong to the last class.
    EndBounds(std::size_t chains,
              std::uint32_t mostTokens,
              const ServingTimes& times,
              const HopRates& hops);

    /// Returns the class of a prefill: the last one whose shortest prefill is within `demand`.
    LengthClass& ClassOf(const PrefillDemand& demand);

    /// Notes that the chain's free time has become less.
    void Shrunk(std::size_t chain);

    /// Notes that the chain's free time has become more, or has changed otherwise.
    void Grown(std::size_t chain);

    /// Forgets all bounds, since time went back.
    void ForgetAll();

    /// Returns whether the chain's bound is the exact end of the shortest prefill that is ready at
    /// `ready`.
    bool IsExact(const LengthClass& of, std::size_t chain, Instant ready) const;

    /// Sets the earliest end of the class's shortest prefill on the chain, where it would begin at
    /// `start`. Instant::Never() says that it fits nowhere.
    void Set(LengthClass& of, std::size_t chain, Instant end, Instant start);

  private:
    std::vector<LengthClass> m_classes; ///< by length
    std::vector<std::uint32_t> m_versions;
};

} // namespace geotrain
