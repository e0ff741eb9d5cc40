// SPDX-License-Identifier: GPL-2.0-only
// Lets other people's traffic arrive while the workloads of a run go on. Files of Pareto-distributed
// sizes arrive between two sites by a Poisson process, each over a TCP connection of its own from
// router to router. The analytic network has none.
#pragma once

#include "loader/experiment.h"
#include "runner/workload.h"
#include "units/random-stream.h"

#include <cstdint>
#include <vector>

namespace geotrain
{

/// CrossTraffic sends the files of all pairs of sites.
class CrossTraffic : public Workload
{
  public:
    /// `experiment` must outlive this object, which must outlive the last arrival.
    explicit CrossTraffic(const Experiment& experiment);

    /// Schedules the first files. They arrive after the current time, and none is under way before.
    void Begin(Testbed& testbed) override;
    bool IsDone() const override;

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

    static void ScheduleNext(Pair& pair, Testbed& testbed);
    static void Arrive(Pair& pair, Testbed& testbed);

    std::vector<Pair> m_pairs;
};

/// Returns when the next file of a pair arrives after `last`, or Instant::Never() where nothing is
/// offered any more. `exponential` is a draw of mean 1: the file arrives when the expected number
/// of files since `last` equals the draw.
Instant NextArrival(const CrossTrafficPair& pair, Instant last, double exponential);

/// Returns the size of a file by the pair's Pareto distribution, between 1 byte and 1 TB. `uniform`
/// is a draw in (0, 1).
std::uint64_t ParetoSize(const CrossTrafficPair& pair, double uniform);

} // namespace geotrain
