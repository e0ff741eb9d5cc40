// SPDX-License-Identifier: GPL-2.0-only
#include "loader/scale-down.h"

#include <algorithm>

namespace geotrain
{

namespace
{

/// Divides rates and sizes of one scenario.
class Divider
{
  public:
    explicit Divider(std::uint32_t scale)
        : m_scale(scale)
    {
    }

    void Divide(BitRate& rate) const
    {
        rate = BitRate::BitsPerSecond(std::max<std::int64_t>(rate.ToBitsPerSecond() / m_scale, 1));
    }

    void Divide(std::optional<BitRate>& rate) const
    {
        if (rate)
        {
            Divide(*rate);
        }
    }

    void Divide(Bytes& size) const
    {
        size = ScaledDown(size, m_scale);
    }

    /// A size in packets or in bandwidth-delay products follows the rate; a packet keeps its size.
    void Divide(WanQueueSize& queue) const
    {
        if (queue.unit != WanQueueSize::Unit::BandwidthDelayProducts)
        {
            queue.value /= m_scale;
        }
        if (queue.unit == WanQueueSize::Unit::Packets)
        {
            queue.value = std::max(queue.value, 1.0);
        }
    }

    void Divide(WanTopology::Link& link) const
    {
        Divide(link.rate);
        Divide(link.queue);
        if (link.red)
        {
            Divide(link.red->minThreshold);
            Divide(link.red->maxThreshold);
        }
        if (link.policer)
        {
            Divide(link.policer->rate);
            Divide(link.policer->burst);
        }
        for (auto& step : link.rateSteps)
        {
            Divide(step.rate);
        }
    }

    void Divide(WanTopology& wan) const
    {
        for (auto& site : wan.sites)
        {
            Divide(site.nicRate);
            Divide(site.intraRate);
        }
        for (auto& link : wan.links)
        {
            Divide(link);
        }
        Divide(wan.caps.nodePair);
        Divide(wan.caps.nodeEgress);
        Divide(wan.caps.nodeIngress);
        Divide(wan.caps.queue);
        Divide(wan.caps.policerBurst);
        wan.portQueue = std::max(ScaledDown(wan.portQueue, m_scale), wan.mtu);
    }

    /// A window of less than a few packets would be another protocol.
    void DivideWindow(Bytes& window, Bytes mtu) const
    {
        window = std::max(ScaledDown(window, m_scale), Bytes::Of(4 * mtu.Count()));
    }

  private:
    std::uint32_t m_scale;
};

} // namespace

Bytes
ScaledDown(Bytes size, std::uint32_t scale)
{
    return Bytes::Of((size.Count() + scale - 1) / scale);
}

void
ScaleDown(LoadedScenario& scenario)
{
    if (scenario.run.scale == 1)
    {
        return;
    }
    const Divider divider(scenario.run.scale);
    WanTopology& wan = scenario.cluster.wan;
    divider.Divide(wan);
    divider.DivideWindow(scenario.transport.window, wan.mtu);
    divider.Divide(scenario.transport.chunk);
    divider.Divide(scenario.cluster.chunk);
    divider.DivideWindow(scenario.cluster.transport.connection.window, wan.mtu);
    divider.Divide(scenario.training.nodeLocalRate);
    if (scenario.transfer)
    {
        divider.Divide(scenario.transfer->size);
        divider.Divide(scenario.transfer->warmUpBytes);
        for (TransferFlow& flow : scenario.transfer->flows)
        {
            divider.DivideWindow(flow.window, wan.mtu);
            divider.Divide(flow.size);
        }
    }
}

} // namespace geotrain
