// SPDX-License-Identifier: GPL-2.0-only
// Simulates other people's traffic on a WAN. Files of Pareto-distributed sizes arrive between two
// sites by a Poisson process, each over a TCP connection of its own from router to router.
#pragma once

#include "execution/clock.h"
#include "loader/cross-traffic-section.h"
#include "training-network/helper/bearer-kinds.h"
#include "units/random-stream.h"

#include <cstdint>
#include <vector>

namespace geotrain
{

/// CrossTraffic sends the files of all pairs of sites.
class CrossTraffic
{
  public:
    /// `bearer` and `clock` must outlive this object, which must outlive the last arrival.
    CrossTraffic(const std::vector<CrossTrafficPair>& pairs,
                 std::uint64_t seed,
                 ns3::Bearer& bearer,
                 Clock& clock);

    /// Schedules the first files. They arrive after the current time, and none is under way before.
    void Begin();

    /// Returns the number of files that have arrived so far.
    std::uint64_t Files() const;

  private:
    /// A Pair is one pair of sites with its random streams and its progress.
    struct Pair
    {
        CrossTrafficPair description;
        RandomStream intervals;
        RandomStream sizes;
        Instant last; ///< arrival of the latest file
        std::uint64_t files = 0;
    };

    void ScheduleNext(Pair& pair);
    void Arrive(Pair& pair);

    ns3::Bearer& m_bearer;
    Clock& m_clock;
    std::vector<Pair> m_pairs;
    std::uint64_t m_files = 0;
};

/// Returns when the next file of a pair arrives after `last`, or Instant::Never() where nothing is
/// offered any more. `exponential` is a draw of mean 1: the file arrives when the expected number
/// of files since `last` equals the draw.
Instant NextArrival(const CrossTrafficPair& pair, Instant last, double exponential);

/// Returns the size of a file by the pair's Pareto distribution, between 1 byte and 1 TB. `uniform`
/// is a draw in (0, 1).
std::uint64_t ParetoSize(const CrossTrafficPair& pair, double uniform);

} // namespace geotrain
