// Where KV caches go: from the node that computed them to a decode node of its data centre, over NICs of their own
// (a network of latency + size/bandwidth with fair sharing, apart from training's) or over training's network.
#pragma once

#include "analytic/analytic-network.h"
#include "bubbles/prefill-controller.h"
#include "loader/scenario-loader.h"
#include "runner/run-plan.h"

#include <memory>
#include <vector>

namespace geotrain
{

class KvNetwork
{
  public:
    /// `training` must outlive this, and gives the clock. The scenario has an inference section.
    KvNetwork(const LoadedScenario& scenario, const RunPlan& plan, Network& training);

    KvTransfer Transfer();

    /// What of `plan` and the scenario is to be warmed beside training's pairs: nothing for NICs of their own.
    static std::vector<Network::WarmUp> PairsToWarm(const LoadedScenario& scenario,
                                                    const RunPlan& plan);

    Bytes Delivered() const;

  private:
    Network* m_network; ///< that carries
    std::unique_ptr<AnalyticNetwork> m_own;
    std::vector<NodeIndex> m_decodeNodeOf; ///< by node; in m_network
    Bytes m_delivered;
};

} // namespace geotrain
