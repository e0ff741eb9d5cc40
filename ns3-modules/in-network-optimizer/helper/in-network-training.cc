// SPDX-License-Identifier: GPL-2.0-only
#include "in-network-optimizer/helper/in-network-training.h"

#include <ns3/abort.h>
#include <ns3/simulator.h>

#include <algorithm>
#include <utility>

namespace ns3
{

using geotrain::Bytes;
using geotrain::Duration;
using geotrain::Instant;

/// Worker holds the three streams of one worker. An item is a layer's forward or backward.
class InNetworkTraining::Worker
{
  public:
    Worker(InNetworkTraining& training, std::uint32_t number)
        : m_training(training),
          m_number(number),
          m_isPulled(2 * training.m_layers.size() * training.m_iterations),
          m_timer([this] { EndCompute(); })
    {
    }

    void Start()
    {
        PostPulls();
    }

    bool IsComputing() const
    {
        return m_timer.IsSet();
    }

    std::size_t Computed() const
    {
        return m_compute;
    }

    bool IsDone() const
    {
        return m_compute == m_isPulled.size();
    }

  private:
    const TrainingLayer& LayerAt(std::size_t item) const
    {
        return m_training.m_layers[m_training.LayerOf(item)];
    }

    AggregationEndPoint& EndPointOf(std::size_t item)
    {
        const std::uint32_t servers = m_training.m_cluster.Settings().servers;
        const auto layer = static_cast<std::uint32_t>(m_training.LayerOf(item));
        return m_training.m_cluster.Worker(m_number, layer % servers);
    }

    void PostPulls()
    {
        const std::size_t end =
            std::min(m_isPulled.size(), m_compute + 1 + m_training.m_pullsAhead);
        while (m_posted < end)
        {
            const std::size_t item = m_posted++;
            EndPointOf(item).Pull(Bytes::Of(2 * LayerAt(item).parameters),
                                  [this, item]
                                  {
                                      m_isPulled[item] = true;
                                      StartCompute();
                                  });
        }
    }

    void StartCompute()
    {
        if (m_timer.IsSet() || IsDone() || !m_isPulled[m_compute])
        {
            return;
        }
        const TrainingLayer& layer = LayerAt(m_compute);
        const Duration time = m_training.IsBackward(m_compute) ? layer.backward : layer.forward;
        m_timer.Set(NowNs() + time.ToNanoseconds());
    }

    void EndCompute()
    {
        const std::size_t item = m_compute++;
        if (m_training.IsBackward(item))
        {
            EndPointOf(item).Push(Bytes::Of(2 * LayerAt(item).parameters), {});
        }
        PostPulls();
        StartCompute();
    }

    InNetworkTraining& m_training;
    std::uint32_t m_number;
    std::vector<bool> m_isPulled; ///< by item
    std::size_t m_posted = 0;     ///< items whose pull was called
    std::size_t m_compute = 0;    ///< items that were computed
    LazyTimer m_timer;            ///< end of the item that is computed
};

Duration
InNetworkTraining::Result::IterationTime() const
{
    NS_ABORT_MSG_IF(ends.empty(), "no iteration ended");
    if (ends.size() == 1)
    {
        return ends.front() - Instant();
    }
    const auto count = static_cast<std::int64_t>(ends.size()) - 1;
    return Duration::Nanoseconds((ends.back() - ends.front()).ToNanoseconds() / count);
}

InNetworkTraining::InNetworkTraining(InNetworkCluster& cluster,
                                     std::vector<TrainingLayer> layers,
                                     std::uint32_t iterations,
                                     std::uint32_t pullsAhead)
    : m_cluster(cluster),
      m_layers(std::move(layers)),
      m_iterations(iterations),
      m_pullsAhead(pullsAhead),
      m_watch([this] { Look(); })
{
    NS_ABORT_MSG_IF(m_layers.empty() || iterations == 0, "there is nothing to train");
    for (std::uint32_t worker = 0; worker < cluster.Settings().workers; ++worker)
    {
        m_workers.push_back(std::make_unique<Worker>(*this, worker));
    }
    for (std::uint32_t server = 0; server < cluster.Settings().servers; ++server)
    {
        cluster.Server(server).Pipeline().OnThrough([this](bool isBackward)
                                                    { CountLayer(isBackward); });
    }
}

InNetworkTraining::~InNetworkTraining() = default;

std::size_t
InNetworkTraining::LayerOf(std::size_t item) const
{
    const std::size_t count = m_layers.size();
    const std::size_t place = item % (2 * count);
    return place < count ? place : 2 * count - 1 - place;
}

bool
InNetworkTraining::IsBackward(std::size_t item) const
{
    return item % (2 * m_layers.size()) >= m_layers.size();
}

void
InNetworkTraining::FeedServers()
{
    // The first layers of the next iteration are read while the last ones are updated.
    const std::size_t ahead = m_result.ends.size() + 2;
    for (; m_fedIterations < std::min<std::size_t>(m_iterations, ahead); ++m_fedIterations)
    {
        for (std::size_t item = 0; item < 2 * m_layers.size(); ++item)
        {
            const std::size_t layer = LayerOf(item);
            const auto server = static_cast<std::uint32_t>(layer % m_cluster.Settings().servers);
            m_cluster.Server(server).Pipeline().Add(
                layer, m_layers[layer].parameters, IsBackward(item));
        }
    }
}

void
InNetworkTraining::CountLayer(bool isBackward)
{
    if (isBackward && ++m_updatedLayers % m_layers.size() == 0)
    {
        m_result.ends.push_back(Instant::FromNanoseconds(NowNs()));
        FeedServers();
    }
}

InNetworkTraining::Result
InNetworkTraining::Run()
{
    FeedServers();
    for (const std::unique_ptr<Worker>& worker : m_workers)
    {
        worker->Start();
    }
    Look();
    Simulator::Run();
    if (!IsDone())
    {
        m_result.waits = m_cluster.Waits();
    }
    return m_result;
}

void
InNetworkTraining::Look()
{
    const std::int64_t progress = m_cluster.Progress();
    const bool isIdle = progress == m_lastProgress && !IsComputing();
    m_idleLooks = isIdle ? m_idleLooks + 1 : 0;
    m_lastProgress = progress;
    const AggregationSettings& settings = m_cluster.Settings().aggregation;
    if (IsDone())
    {
        return;
    }
    if (m_idleLooks > settings.retries + 1)
    {
        Simulator::Stop();
        return;
    }
    m_watch.Set(NowNs() + settings.timeout.ToNanoseconds());
}

bool
InNetworkTraining::IsComputing()
{
    const bool isComputing = std::any_of(m_workers.begin(),
                                         m_workers.end(),
                                         [](const auto& worker) { return worker->IsComputing(); });
    return isComputing || m_cluster.IsServing();
}

bool
InNetworkTraining::IsDone() const
{
    return m_result.ends.size() == m_iterations;
}

} // namespace ns3
