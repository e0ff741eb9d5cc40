// SPDX-License-Identifier: GPL-2.0-only
// Measures on the analytic network how long messages take between two data centres, for the
// search's estimates. A pipeline of two stages without work sends one message, whose gradient comes
// back at once, and then several; what the several take longer is what a message occupies the way
// beside those of the other direction, and the rest is its latency. So an estimate knows what the windows, the acknowledgements and the turns of the
// network cost, without a model of its own of them.
#pragma once

#include "schedule/schedule-order.h"
#include "training-plan/cluster.h"
#include "training-plan/stage-table.h"
#include "training-plan/training-job.h"
#include "training-plan/training-plan.h"

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

namespace geotrain
{

/// A HopProbe keeps what it has measured. Any number of threads may use it.
class HopProbe
{
  public:
    /// Both must outlive this.
    HopProbe(const TrainingJob& job, const Cluster& cluster);

    /// Returns the hops of `plan` with those over the WAN as measured. `hops` are by virtual stage,
    /// as HopTimes() gives them; `table` is the plan's.
    std::vector<Hop>
    Measured(std::vector<Hop> hops, const TrainingPlan& plan, const StageTable& table);

  private:
    using Key = std::vector<std::int64_t>;

    std::optional<Hop> HopBetween(std::uint32_t from,
                                  std::uint32_t to,
                                  const TrainingPlan& plan,
                                  const StageTable& table);
    std::optional<Hop> Measure(std::uint32_t from,
                               std::uint32_t to,
                               const TrainingPlan& plan,
                               const StageTable& table) const;

    const TrainingJob& m_job;
    const Cluster& m_cluster;
    std::mutex m_mutex;
    std::map<Key, std::optional<Hop>> m_hops;
};

} // namespace geotrain
