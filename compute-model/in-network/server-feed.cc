// SPDX-License-Identifier: GPL-2.0-only
#include "in-network/server-feed.h"

#include <algorithm>
#include <utility>

namespace geotrain
{

std::size_t
InNetworkJob::LayerOfPull(std::size_t pull) const
{
    const std::size_t count = parameters.size();
    const std::size_t place = pull % (2 * count);
    return place < count ? place : 2 * count - 1 - place;
}

bool
InNetworkJob::IsBackward(std::size_t pull) const
{
    return pull % (2 * parameters.size()) >= parameters.size();
}

std::size_t
InNetworkJob::LayerOfPush(std::size_t push) const
{
    return parameters.size() - 1 - push % parameters.size();
}

ServerFeed::ServerFeed(std::vector<LayerPipeline*> pipelines,
                       const InNetworkJob& job,
                       FedCallback fed)
    : m_pipelines(std::move(pipelines)),
      m_job(job),
      m_fed(std::move(fed))
{
    for (LayerPipeline* const pipeline : m_pipelines)
    {
        pipeline->OnThrough([this](bool isBackward) { CountLayer(isBackward); });
    }
}

std::uint32_t
ServerFeed::ServerOf(std::size_t layer) const
{
    return static_cast<std::uint32_t>(layer % m_pipelines.size());
}

void
ServerFeed::CountLayer(bool isBackward)
{
    if (isBackward && ++m_updatedLayers % m_job.parameters.size() == 0)
    {
        Feed();
    }
}

void
ServerFeed::Feed()
{
    // The first layers of the next iteration are read while the last ones are updated.
    const std::size_t layers = m_job.parameters.size();
    const std::size_t ahead = m_updatedLayers / layers + 2;
    for (; m_fedIterations < std::min<std::size_t>(m_job.iterations, ahead); ++m_fedIterations)
    {
        for (std::size_t pull = 0; pull < 2 * layers; ++pull)
        {
            const std::size_t layer = m_job.LayerOfPull(pull);
            const bool isBackward = m_job.IsBackward(pull);
            m_pipelines[ServerOf(layer)]->Add(layer, m_job.parameters[layer], isBackward);
            m_fed(layer, isBackward);
        }
    }
}

} // namespace geotrain
