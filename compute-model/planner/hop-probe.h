// SPDX-License-Identifier: GPL-2.0-only
// Measures on the analytic network how long messages take between two data centres, for the
// search's estimates, so that these know what windows, acknowledgements and turns cost without a
// model of their own. Two data centres exchange messages of a plan's size twice, with two stages that
// don't compute:
//
// - One at a time per pipeline, there and back. The last ones tell the latency of a message over open
//   windows, and those before it what each takes while windows open.
// - All at once, there and back. The time between the later ones is what a message occupies the way
//   beside those of the other direction. The time between the first ones is what they take behind
//   each other over cold connections. Windows of a burst may also overrun a queue, and lose packets.
//
// Where a pause closes windows, one more goes there and back after a long one.
#pragma once

#include "schedule/schedule-order.h"
#include "training-plan/cluster-ways.h"
#include "training-plan/stage-table.h"
#include "training-plan/training-job.h"
#include "training-plan/training-plan.h"

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace geotrain
{

/// A HopProbe keeps what it has measured. Any number of threads may use it.
class HopProbe
{
  public:
    /// All must outlive this. `ways` are the cluster's.
    HopProbe(const TrainingJob& job, const Cluster& cluster, const ClusterWays& ways);

    /// A PlannedHops is a plan with the table of its stages.
    using PlannedHops = std::pair<const TrainingPlan*, const StageTable*>;

    /// Measures the hops over the WAN of all plans on `threads` threads, each once.
    void Measure(const std::vector<PlannedHops>& plans, unsigned threads);

    /// Returns the hops of `plan` with those over the WAN as measured. `hops` are by virtual stage,
    /// as HopTimes() gives them; `table` is the plan's. Measures what Measure() has not.
    std::vector<Hop>
    Measured(std::vector<Hop> hops, const TrainingPlan& plan, const StageTable& table);

  private:
    using Key = std::vector<std::int64_t>;

    bool MeetOthers(std::uint32_t from, std::uint32_t to, const TrainingPlan& plan) const;
    bool MayOverrun(std::uint32_t from, std::uint32_t to) const;
    std::uint32_t MessagesOf(std::uint32_t from, std::uint32_t to, const TrainingPlan& plan) const;
    Key KeyOf(std::uint32_t from,
              std::uint32_t to,
              const TrainingPlan& plan,
              const StageTable& table) const;
    std::optional<Hop> HopBetween(std::uint32_t from,
                                  std::uint32_t to,
                                  const TrainingPlan& plan,
                                  const StageTable& table);
    Duration NodeOccupancy(std::uint32_t from,
                           std::uint32_t to,
                           const TrainingPlan& plan,
                           const StageTable& table) const;
    std::optional<Hop> MeasureBetween(std::uint32_t from,
                                      std::uint32_t to,
                                      const TrainingPlan& plan,
                                      const StageTable& table) const;

    const TrainingJob& m_job;
    const Cluster& m_cluster;
    const ClusterWays& m_ways;
    std::mutex m_mutex;
    std::map<Key, std::optional<Hop>> m_hops;
};

} // namespace geotrain
