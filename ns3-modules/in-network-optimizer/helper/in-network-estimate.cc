// SPDX-License-Identifier: GPL-2.0-only
#include "in-network-optimizer/helper/in-network-estimate.h"

#include <ns3/abort.h>

#include <algorithm>
#include <vector>

namespace ns3
{

namespace
{

constexpr std::size_t estimatedIterations = 3;

/// IterationEstimate walks through the items of a few iterations: forward and backward of layers.
class IterationEstimate
{
  public:
    IterationEstimate(const InNetworkClusterSettings& settings,
                      const std::vector<TrainingLayer>& layers,
                      std::uint32_t pullsAhead)
        : m_layers(layers),
          m_pullsAhead(pullsAhead),
          m_server(settings, layers.size())
    {
    }

    double Seconds()
    {
        const std::size_t items = 2 * m_layers.size();
        std::vector<double> ends;
        for (std::size_t item = 0; item < estimatedIterations * items; ++item)
        {
            Walk(item);
            if (item % items == items - 1)
            {
                ends.push_back(m_server.Updated());
            }
        }
        return (ends.back() - ends.front()) / static_cast<double>(ends.size() - 1);
    }

  private:
    void Walk(std::size_t item)
    {
        const std::size_t count = m_layers.size();
        const std::size_t place = item % (2 * count);
        const bool isBackward = place >= count;
        const std::size_t number = isBackward ? 2 * count - 1 - place : place;
        const TrainingLayer& layer = m_layers[number];
        const double posted = item > m_pullsAhead ? m_computed[item - 1 - m_pullsAhead] : 0.0;
        const double pulled = m_server.Pull(number, layer.parameters, posted);
        const double before = m_computed.empty() ? 0.0 : m_computed.back();
        m_computed.push_back(std::max(before, pulled) +
                             (isBackward ? layer.backward : layer.forward).ToSeconds());
        if (isBackward)
        {
            m_server.Push(number, layer.parameters, m_computed.back());
        }
    }

    const std::vector<TrainingLayer>& m_layers;
    const std::uint32_t m_pullsAhead;
    ServerEstimate m_server;
    std::vector<double> m_computed; ///< by item
};

} // namespace

ServerEstimate::ServerEstimate(const InNetworkClusterSettings& settings, std::size_t layers)
    : m_settings(settings),
      m_pulls(EstimatePulls(settings)),
      m_pushes(EstimatePushes(settings)),
      m_updated(layers)
{
}

double
ServerEstimate::Pull(std::size_t layer, std::int64_t parameters, double posted)
{
    const double ready = BeginPull(layer, parameters);
    const TransferTimes::Ends ends = m_pulls.Send(2 * parameters, ready, posted);
    EndPull(ends.acknowledged);
    return ends.received;
}

double
ServerEstimate::BeginPull(std::size_t layer, std::int64_t parameters)
{
    const double read = 2 * static_cast<double>(parameters) / BytesPerSecond(m_settings.server.ssd);
    const double enter = std::max(m_updated[layer], LeftBy(LayerPipeline::ReadParameters));
    EnterAt(m_pull, LayerPipeline::ReadParameters, enter, enter + read);
    return std::max(m_pull.end[LayerPipeline::ReadParameters], m_pushed);
}

void
ServerEstimate::EndPull(double at)
{
    m_pushed = at;
    EnterAt(m_pull, LayerPipeline::Push, m_pull.end[LayerPipeline::ReadParameters], m_pushed);
    m_lastPull = m_pull;
}

double
ServerEstimate::Push(std::size_t layer, std::int64_t parameters, double posted)
{
    const double room = std::max(BeginPush(), m_pushed); // its parameters go first
    EndPush(layer, parameters, m_pushes.Send(2 * parameters, posted, room).received);
    return m_pulled;
}

double
ServerEstimate::BeginPush() const
{
    return std::max(LeftBy(LayerPipeline::Pull), m_pulled);
}

void
ServerEstimate::EndPush(std::size_t layer, std::int64_t parameters, double at)
{
    StepEnds ends;
    m_pulled = at;
    EnterAt(ends, LayerPipeline::Pull, at, at);
    const auto p = static_cast<double>(parameters);
    const double ssd = BytesPerSecond(m_settings.server.ssd);
    const double memory = BytesPerSecond(m_settings.server.memory);
    const double share = static_cast<double>(m_settings.server.stepThreads[LayerPipeline::Adam]) /
                         m_settings.server.threadCount;
    // A device that several steps share takes no more layers than all their bytes allow: the SSD
    // reads the next layers' parameters too, and the memory serves all steps.
    Enter(ends, LayerPipeline::ReadStates, 12 * p / ssd, 14 * p / ssd);
    Enter(ends,
          LayerPipeline::Adam,
          std::max(17 * p / (m_settings.server.flopsPerSecond * share), 28 * p / memory),
          60 * p / memory);
    Enter(ends, LayerPipeline::WriteBack, 14 * p / ssd, 14 * p / ssd);
    m_updated[layer] = ends.end[LayerPipeline::WriteBack];
    m_lastPush = ends;
}

double
ServerEstimate::Updated() const
{
    return *std::max_element(m_updated.begin(), m_updated.end());
}

/// Returns when the layer before has left `step`, so that another may enter.
double
ServerEstimate::LeftBy(std::size_t step) const
{
    const StepEnds& last = step > LayerPipeline::Push ? m_lastPush : m_lastPull;
    const bool handsOver = step != LayerPipeline::Push && step != LayerPipeline::WriteBack;
    return handsOver ? std::max(last.end[step], last.enter[step + 1]) : last.end[step];
}

void
ServerEstimate::EnterAt(StepEnds& ends, std::size_t step, double enter, double end) const
{
    ends.enter[step] = std::max(enter, LeftBy(step));
    ends.end[step] = end;
}

/// The step takes `seconds`, and ends `spacing` after that of the layer before.
void
ServerEstimate::Enter(StepEnds& ends, std::size_t step, double seconds, double spacing) const
{
    const double enter = std::max(ends.end[step - 1], LeftBy(step));
    EnterAt(ends, step, enter, std::max(enter + seconds, m_lastPush.end[step] + spacing));
}

TransferTimes::TransferTimes(const TransferEstimate& estimate)
    : m_estimate(estimate),
      m_heartbeats(estimate.interval)
{
}

TransferTimes::Ends
TransferTimes::Send(std::int64_t bytes, double given, double posted)
{
    const double begin = std::max(given, m_heartbeats.Post(posted) + m_estimate.back);
    const double received =
        begin + static_cast<double>(bytes) / m_estimate.bytesPerSecond + m_estimate.there;
    return {received, m_heartbeats.Fill(received) + m_estimate.back};
}

geotrain::Duration
EstimateIteration(const InNetworkClusterSettings& settings,
                  const std::vector<TrainingLayer>& layers,
                  std::uint32_t pullsAhead)
{
    NS_ABORT_MSG_IF(settings.servers != 1 || settings.addsAtServer ||
                        settings.server.threads != OptimizerServerSettings::Threads::StepCentric,
                    "the estimate is for one server with threads a step, and switches that add");
    return geotrain::Duration::Seconds(IterationEstimate(settings, layers, pullsAhead).Seconds());
}

double
RingZero3Bytes(double bytes, std::uint32_t workers)
{
    return 3.0 * (workers - 1) / workers * bytes;
}

double
RingAllReduceRate(double linkRate, std::uint32_t workers)
{
    return linkRate * workers / (2.0 * (workers - 1));
}

} // namespace ns3
