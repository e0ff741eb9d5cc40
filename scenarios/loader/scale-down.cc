// SPDX-License-Identifier: GPL-2.0-only
#include "loader/scale-down.h"

#include <algorithm>
#include <cmath>

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

    /// A rate of 0, in a trace, stays.
    void Divide(BitRate& rate) const
    {
        rate = rate == BitRate() ? rate
                                 : BitRate::BitsPerSecond(
                                       std::max<std::int64_t>(rate.ToBitsPerSecond() / m_scale, 1));
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

    void Divide(RedSettings& red) const
    {
        Divide(red.minThreshold);
        Divide(red.maxThreshold);
        // As many packets have this weight together as one had before.
        red.weight = 1 - std::pow(1 - red.weight, m_scale);
    }

    void Divide(RateSchedule& rates) const
    {
        for (auto& step : rates.steps)
        {
            Divide(step.rate);
        }
    }

    void Divide(WanTopology::Link& link, Bytes mtu) const
    {
        Divide(link.rate);
        DivideRoom(link.queue, mtu);
        if (link.red)
        {
            Divide(*link.red);
        }
        if (link.step && link.step->size)
        {
            Divide(*link.step->size);
        }
        if (link.policer)
        {
            Divide(link.policer->rate);
            DivideRoom(link.policer->burst, mtu);
        }
        Divide(link.rateBack);
        Divide(link.rates);
        if (link.ratesBack)
        {
            Divide(*link.ratesBack);
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
            Divide(link, wan.mtu);
        }
        for (auto& one : wan.classes)
        {
            Divide(one.rate);
            DivideRoom(one.burst, wan.mtu);
        }
        Divide(wan.caps.nodePair);
        Divide(wan.caps.nodeEgress);
        Divide(wan.caps.nodeIngress);
        Divide(wan.caps.connection);
        DivideRoom(wan.caps.queue, wan.mtu);
        DivideRoom(wan.caps.policerBurst, wan.mtu);
        DivideRoom(wan.portQueue, wan.mtu);
    }

    void Divide(CrossTrafficPair& pair, Bytes mtu) const
    {
        for (auto& step : pair.steps)
        {
            step.bitsPerSecond /= m_scale;
        }
        Divide(pair.meanSize);
        DivideWindow(pair.window, mtu);
    }

    /// A window of less than a few packets would be another protocol.
    void DivideWindow(Bytes& window, Bytes mtu) const
    {
        window = std::max(ScaledDown(window, m_scale), Bytes::Of(4 * mtu.Count()));
    }

  private:
    /// Room of less than a packet would let none through.
    void DivideRoom(Bytes& room, Bytes mtu) const
    {
        room = std::max(ScaledDown(room, m_scale), std::min(room, mtu));
    }

    void DivideRoom(WanQueueSize& queue, Bytes mtu) const
    {
        const double least = std::min(queue.value, static_cast<double>(mtu.Count()));
        Divide(queue);
        if (queue.unit == WanQueueSize::Unit::Bytes)
        {
            queue.value = std::max(queue.value, least);
        }
    }

    std::uint32_t m_scale;
};

} // namespace

Bytes
ScaledDown(Bytes size, std::uint32_t scale)
{
    return Bytes::Of((size.Count() + scale - 1) / scale);
}

void
ScaleDown(Experiment& experiment)
{
    if (experiment.run.scale == 1)
    {
        return;
    }
    const Divider divider(experiment.run.scale);
    TestbedSpec& testbed = experiment.testbed;
    const Bytes mtu = testbed.wan.mtu;
    divider.Divide(testbed.wan);
    divider.DivideWindow(testbed.transport.window, mtu);
    divider.Divide(testbed.transport.chunk);
    divider.Divide(testbed.transport.tcp.mostPacingRate);
    divider.DivideWindow(testbed.analytic.connection.window, mtu);
    divider.Divide(testbed.analytic.connection.mostRate);
    for (TrainingSpec& job : experiment.jobs)
    {
        divider.Divide(job.cluster.wan);
        divider.Divide(job.cluster.chunk);
        divider.DivideWindow(job.cluster.transport.connection.window, mtu);
        divider.Divide(job.cluster.transport.connection.mostRate);
        divider.Divide(job.prepared.nodeLocalRate);
    }
    for (CrossTrafficPair& pair : experiment.crossTraffic)
    {
        divider.Divide(pair, mtu);
    }
    if (experiment.transfer)
    {
        divider.Divide(experiment.transfer->size);
        divider.Divide(experiment.transfer->warmUpBytes);
        for (TransferFlow& flow : experiment.transfer->flows)
        {
            divider.DivideWindow(flow.window, mtu);
            divider.Divide(flow.size);
        }
    }
}

} // namespace geotrain
