// SPDX-License-Identifier: GPL-2.0-only
// Models the server of an in-network optimizer: an end point of the streams of parameters and
// gradients, and the pipeline that feeds and empties it. It checks that each sum of gradients holds
// the packets of all workers once, and ends the program where one does not.
#pragma once

#include "in-network-optimizer/model/aggregation-end-point.h"
#include "in-network/in-network-settings.h"
#include "wan-topology/model/simulator-clock.h"

namespace ns3
{

/// OptimizerServer keeps the parameters and states of its layers.
class OptimizerServer
{
  public:
    /// `sums` are what gradients add up to. `out` outlives the server.
    OptimizerServer(const geotrain::InNetworkClusterSettings& settings,
                    FlowNumber number,
                    const PatternValues& sums,
                    PacketElement& out);

    AggregationEndPoint& EndPoint();
    geotrain::LayerPipeline& Pipeline();

  private:
    SimulatorClock m_clock;
    PatternValues m_parameters = PatternValues::OfWorker(0);
    SumCheck m_sums;
    NicPacer m_pacer;
    AggregationEndPoint m_endPoint;
    geotrain::LayerPipeline m_pipeline;
};

} // namespace ns3
