// SPDX-License-Identifier: GPL-2.0-only
// The in-network optimizer of a run: its switches and servers over packets, or its estimate where the
// network has none. Its links inside data centres are its own; between them its relays use the
// network of the run.
#pragma once

#include "execution/plan-run.h"
#include "in-network-optimizer/helper/in-network-collectives.h"
#include "in-network-optimizer/helper/piped-sites.h"
#include "in-network-optimizer/helper/switch-all-reduce.h"
#include "loader/experiment.h"

#include <functional>
#include <memory>

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
    void PullAndPush(const TrainingSpec& spec, std::uint32_t iterations, PlanRun& run);
    void ReduceInSwitch(const TrainingSpec& spec, bool hasPackets, MessageLayer& layer);

    std::unique_ptr<ns3::InNetworkSites> m_sites;    ///< null without packets
    std::unique_ptr<ns3::PipedSites> m_pipedSites;   ///< with servers and no packets; else null
    std::unique_ptr<ns3::PipedSwitch> m_pipedSwitch; ///< without packets or servers; else null
    std::function<NetworkCounters()> m_counters;     ///< of what the run's layer owns
};

/// Adds the pairs of nodes between which the relays of a job send; none where it has no relays.
void AddPairsOfRelays(const TrainingSpec& spec, std::vector<Network::WarmUp>& pairs);

} // namespace geotrain
