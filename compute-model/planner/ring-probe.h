// SPDX-License-Identifier: GPL-2.0-only
// Measures on the analytic network how long the all-reduce of replicas in several data centres takes,
// for the search's estimates, so that these know what windows, queues and losses cost the rings of all
// stages that run at once. The stages don't compute; the rings begin together over cold connections.
// Of long rings a part is measured, of so many round trips that the ramp-up counts little in it.
#pragma once

#include "training-plan/cluster-ways.h"
#include "training-plan/stage-table.h"
#include "training-plan/training-job.h"
#include "training-plan/training-plan.h"

#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

namespace geotrain
{

/// A RingProbe keeps what it has measured. Any number of threads may use it.
class RingProbe
{
  public:
    /// All must outlive this. `ways` are the cluster's.
    RingProbe(const TrainingJob& job, const Cluster& cluster, const ClusterWays& ways);

    /// Returns all that the rings of a plan depend on.
    using Key = std::vector<std::int64_t>;
    static Key KeyOf(const TrainingPlan& plan, const StageTable& table);

    /// Returns by worker of a pipeline how many seconds the all-reduce of its gradients over replicas
    /// in several data centres takes, with that of tied embeddings. `table` is the plan's.
    std::vector<double> SecondsOf(const TrainingPlan& plan, const StageTable& table);

  private:
    double MeasuredShare(const TrainingPlan& plan, const StageTable& stages) const;
    std::vector<double> Measure(const TrainingPlan& plan, const StageTable& table) const;

    const TrainingJob& m_job;
    const Cluster& m_cluster;
    const ClusterWays& m_ways;
    std::mutex m_mutex;
    std::map<Key, std::vector<double>> m_seconds;
};

} // namespace geotrain
