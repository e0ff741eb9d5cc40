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

namespace
{

InNetworkJob
JobOf(const std::vector<TrainingLayer>& layers, std::uint32_t iterations)
{
    InNetworkJob job;
    job.iterations = iterations;
    for (const TrainingLayer& layer : layers)
    {
        job.parameters.push_back(layer.parameters);
    }
    return job;
}

} // namespace

/// Worker holds the three streams of one worker. An item is a layer's forward or backward.
class InNetworkTraining::Worker
{
  public:
    Worker(InNetworkTraining& training, std::uint32_t number)
        : m_training(training),
          m_number(number),
          m_isPulled(2 * training.m_layers.size() * training.m_job.iterations),
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
        return m_training.m_layers[m_training.m_job.LayerOfPull(item)];
    }

    AggregationEndPoint& EndPointOf(std::size_t item)
    {
        return m_training.m_cluster.Worker(
            m_number, m_training.m_feed.ServerOf(m_training.m_job.LayerOfPull(item)));
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
        const Duration time =
            m_training.m_job.IsBackward(m_compute) ? layer.backward : layer.forward;
        m_timer.Set(NowNs() + time.ToNanoseconds());
    }

    void EndCompute()
    {
        const std::size_t item = m_compute++;
        if (m_training.m_job.IsBackward(item))
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
      m_job(JobOf(m_layers, iterations)),
      m_pullsAhead(pullsAhead),
      m_feed(cluster.Pipelines(), m_job),
      m_watch(
          cluster.Settings().aggregation,
          [this] { return m_cluster.Progress(); },
          [this] { return IsComputing(); },
          [this] { return !IsDone(); },
          [] { Simulator::Stop(); })
{
    NS_ABORT_MSG_IF(m_layers.empty() || iterations == 0, "there is nothing to train");
    for (std::uint32_t worker = 0; worker < cluster.Settings().workers; ++worker)
    {
        m_workers.push_back(std::make_unique<Worker>(*this, worker));
    }
    m_feed.OnUpdated([this] { m_result.ends.push_back(Instant::FromNanoseconds(NowNs())); });
}

InNetworkTraining::~InNetworkTraining() = default;

InNetworkTraining::Result
InNetworkTraining::Run()
{
    m_feed.Feed();
    for (const std::unique_ptr<Worker>& worker : m_workers)
    {
        worker->Start();
    }
    m_watch.Begin();
    Simulator::Run();
    if (!IsDone())
    {
        m_result.waits = m_cluster.Waits();
    }
    return m_result;
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
    return m_result.ends.size() == m_job.iterations;
}

} // namespace ns3
