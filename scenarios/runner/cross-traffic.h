// SPDX-License-Identifier: GPL-2.0-only
// Other people's traffic on a WAN: files that arrive between two sites by a Poisson process, of
// Pareto sizes, each over a TCP connection of its own from router to router.
#pragma once

#include "execution/clock.h"
#include "loader/cross-traffic-section.h"
#include "training-network/helper/bearer.h"
#include "units/random-stream.h"

#include <cstdint>
#include <vector>

namespace geotrain
{

class CrossTraffic
{
  public:
    /// `bearer` and `clock` outlive it, and it outlives the last arrival.
    CrossTraffic(const std::vector<CrossTrafficPair>& pairs,
                 std::uint64_t seed,
                 ns3::Bearer& bearer,
                 Clock& clock);

    /// The first files arrive after now: none is on its way before.
    void Begin();

    /// That have arrived so far.
    std::uint64_t Files() const;
    std::uint64_t OfferedBytes() const;

  private:
    struct Pair
    {
        CrossTrafficPair description;
        RandomStream intervals;
        RandomStream sizes;
        Instant last; ///< arrival
        std::uint64_t files = 0;
    };

    void ScheduleNext(Pair& pair);
    void Arrive(Pair& pair);

    ns3::Bearer& m_bearer;
    Clock& m_clock;
    std::vector<Pair> m_pairs;
    std::uint64_t m_files = 0;
    std::uint64_t m_bytes = 0;
};

/// When the next file of a pair arrives after `last`, given `exponential`, a draw of mean 1: the
/// time at which the files expected since `last` are that many. Instant::Never() where nothing is
/// offered any more.
Instant NextArrival(const CrossTrafficPair& pair, Instant last, double exponential);

/// The size of a file, given `uniform` in (0, 1): Pareto, at least 1 byte and at most 1 TB.
std::uint64_t ParetoSize(const CrossTrafficPair& pair, double uniform);

} // namespace geotrain
