// SPDX-License-Identifier: GPL-2.0-only
// Runs iterations of model-in-network data parallelism on a cluster. Each worker has three FIFO
// streams that do not block each other: compute, pull, push. A layer is pulled before its forward
// and again before its backward, and its gradients are pushed after it; pulls run a number of
// layers ahead of the compute stream. All workers do the same with their own part of the batch.
#pragma once

#include "in-network-optimizer/helper/in-network-cluster.h"
#include "in-network-optimizer/helper/server-feed.h"
#include "in-network-optimizer/helper/standstill-watch.h"

#include <string>
#include <vector>

namespace ns3
{

/// A TrainingLayer is what a layer asks of the workers and of the server.
struct TrainingLayer
{
    std::int64_t parameters; ///< each 2 bytes on the network
    geotrain::Duration forward;
    geotrain::Duration backward; ///< with recomputation, if any
};

/// InNetworkTraining runs on a cluster that has run nothing else.
class InNetworkTraining
{
  public:
    struct Result
    {
        /// Ends of the iterations: the server has written the last update.
        std::vector<geotrain::Instant> ends;
        /// One line for each thing that waits; empty: all was done.
        std::vector<std::string> waits;

        /// Returns the mean time of an iteration, without the first one where there are more.
        geotrain::Duration IterationTime() const;
    };

    /// `pullsAhead` layers are pulled before the one that computes. The cluster outlives this.
    InNetworkTraining(InNetworkCluster& cluster,
                      std::vector<TrainingLayer> layers,
                      std::uint32_t iterations,
                      std::uint32_t pullsAhead = 2);
    ~InNetworkTraining();

    /// Runs the simulator until all is done or nothing moves any more, for as long as a sender goes
    /// on trying.
    Result Run();

  private:
    class Worker;

    bool IsComputing();
    bool IsDone() const;

    InNetworkCluster& m_cluster;
    const std::vector<TrainingLayer> m_layers;
    const InNetworkJob m_job;
    const std::uint32_t m_pullsAhead;
    std::vector<std::unique_ptr<Worker>> m_workers;
    ServerFeed m_feed;
    StandstillWatch m_watch;
    Result m_result;
};

} // namespace ns3
