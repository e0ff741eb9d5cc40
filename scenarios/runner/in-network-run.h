// SPDX-License-Identifier: GPL-2.0-only
// The in-network optimizer of a run: its switches and servers over packets, or its formula where the
// network has none. Its links inside data centres are its own; between them its relays use the
// network of the run.
#pragma once

#include "execution/plan-run.h"
#include "in-network/stream-collectives.h"
#include "loader/experiment.h"

#include <memory>
#include <vector>

namespace geotrain
{

/// InNetworkRun carries the pulls and pushes of one run.
class InNetworkRun
{
  public:
    /// The job has an in-network optimizer and runs so many iterations. `run` must outlive this.
    InNetworkRun(const TrainingSpec& spec, std::uint32_t iterations, PlanRun& run);

    /// Returns `counters` and what pulls and pushes have carried.
    NetworkCounters AddTo(NetworkCounters counters) const;

  private:
    std::unique_ptr<OptimizerSites> m_sites;
    const StreamCollectives* m_collectives = nullptr; ///< of the run
};

/// Adds the pairs of nodes between which the relays of a job send; none where it has no relays.
void AddPairsOfRelays(const TrainingSpec& spec, std::vector<Network::WarmUp>& pairs);

} // namespace geotrain
