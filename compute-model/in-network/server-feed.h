// SPDX-License-Identifier: GPL-2.0-only
// Tells the servers of an in-network optimizer which layers come, and when. An iteration goes through
// the layers and back; each pass pulls a layer, and the way back pushes its gradients too.
#pragma once

#include "in-network/layer-pipeline.h"

#include <functional>
#include <vector>

namespace geotrain
{

/// An InNetworkJob is what is trained: parameters by layer, and how often.
struct InNetworkJob
{
    std::vector<std::int64_t> parameters; ///< by layer
    std::uint32_t iterations = 1;

    /// Returns the layer of a worker's n-th pull.
    std::size_t LayerOfPull(std::size_t pull) const;

    /// Returns whether a worker's n-th pull is on the way back.
    bool IsBackward(std::size_t pull) const;

    /// Returns the layer of a worker's n-th push.
    std::size_t LayerOfPush(std::size_t push) const;
};

/// A ServerFeed feeds the pipelines of servers, which split the layers, an iteration ahead.
class ServerFeed
{
  public:
    /// Is told of a pull's layer when its server is.
    using FedCallback = std::function<void(std::size_t layer, bool isBackward)>;

    /// The pipelines have run nothing else. They and `job` outlive the feed.
    ServerFeed(std::vector<LayerPipeline*> pipelines, const InNetworkJob& job, FedCallback fed);

    /// Tells the servers of the layers to come, if it has not been done.
    void Feed();

    /// Returns the server of a layer.
    std::uint32_t ServerOf(std::size_t layer) const;

  private:
    void CountLayer(bool isBackward);

    const std::vector<LayerPipeline*> m_pipelines; ///< by server
    const InNetworkJob& m_job;
    FedCallback m_fed;
    std::uint32_t m_fedIterations = 0;
    std::size_t m_updatedLayers = 0;
};

} // namespace geotrain
