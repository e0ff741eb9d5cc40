// SPDX-License-Identifier: GPL-2.0-only
#include "figures/wan-throughput.h"

#include <algorithm>
#include <cmath>

namespace geotrain
{

BinnedBits::BinnedBits(MeasuredSpan window, std::size_t bins)
    : m_window(window),
      m_binNs(static_cast<double>(window.endNs - window.startNs) / static_cast<double>(bins)),
      m_bits(bins)
{
}

void
BinnedBits::Add(double startNs, double endNs, double bits)
{
    endNs = endNs > startNs ? endNs : startNs + 1;
    const double density = bits / (endNs - startNs);
    const auto windowStart = static_cast<double>(m_window.startNs);
    const double from = std::max(startNs - windowStart, 0.0);
    const double to = std::min(endNs, static_cast<double>(m_window.endNs)) - windowStart;
    if (from >= to)
    {
        return;
    }
    const auto last = std::min(m_bits.size() - 1, static_cast<std::size_t>(to / m_binNs));
    for (auto bin = std::min(last, static_cast<std::size_t>(from / m_binNs)); bin <= last; ++bin)
    {
        const double binStart = m_binNs * static_cast<double>(bin);
        const double overlap = std::min(to, binStart + m_binNs) - std::max(from, binStart);
        m_bits[bin] += density * std::max(overlap, 0.0);
    }
}

std::vector<double>
BinnedBits::RatesBps() const
{
    std::vector<double> rates(m_bits);
    for (double& rate : rates)
    {
        rate *= 1e9 / m_binNs;
    }
    return rates;
}

double
BinnedBits::TotalBits() const
{
    double total = 0;
    for (const double bits : m_bits)
    {
        total += bits;
    }
    return total;
}

namespace
{

/// A ShapingQueue takes bits at a changing rate and sends at most at its capacity. Times are in ns
/// and rise; rates are in bit/ns.
class ShapingQueue
{
  public:
    ShapingQueue(double capacity, BinnedBits& binned)
        : m_capacity(capacity),
          m_binned(binned)
    {
    }

    /// Takes bits at `rate` from `startNs` to `endNs`.
    void Take(double startNs, double endNs, double rate)
    {
        const double emptyNs = EmptyFrom(startNs, rate);
        if (emptyNs > startNs)
        {
            const double fullNs = std::min(endNs, emptyNs);
            m_binned.Add(startNs, fullNs, m_capacity * (fullNs - startNs));
            m_waiting += (rate - m_capacity) * (fullNs - startNs);
        }
        if (emptyNs < endNs)
        {
            m_waiting = 0;
            m_binned.Add(
                std::max(startNs, emptyNs), endNs, rate * (endNs - std::max(startNs, emptyNs)));
        }
    }

    /// Sends what waits, from `startNs` on.
    void Drain(double startNs)
    {
        Take(startNs, std::max(startNs, EmptyFrom(startNs, 0)), 0);
    }

  private:
    /// Returns from when on nothing waits, if bits come at `rate` from `startNs` on.
    double EmptyFrom(double startNs, double rate) const
    {
        if (rate > m_capacity || (rate == m_capacity && m_waiting > 0))
        {
            return INFINITY;
        }
        return m_waiting > 0 ? startNs + m_waiting / (m_capacity - rate) : startNs;
    }

    double m_capacity;
    BinnedBits& m_binned;
    double m_waiting = 0;
};

/// A RateChange is a moment at which sendings begin or end.
struct RateChange
{
    double atNs;
    double rate;  ///< change of the rate, in bit/ns
    int sendings; ///< change of the number of sendings

    bool operator<(const RateChange& other) const
    {
        return atNs < other.atNs;
    }
};

/// Spreads the sendings of each series over bins, within the capacity that `header` gives it.
/// Leaves out series that carried nothing.
WanThroughput
Spread(const trace::RunHeader& header,
       const std::map<std::string, std::vector<Sending>>& series,
       MeasuredSpan window,
       std::size_t bins)
{
    WanThroughput throughput;
    throughput.capacityBps = WanCapacities(header);
    for (const auto& [name, sendings] : series)
    {
        const auto capacity = throughput.capacityBps.find(name);
        BinnedBits bits(window, bins);
        AddShaped(
            sendings, capacity == throughput.capacityBps.end() ? INFINITY : capacity->second, bits);
        if (bits.TotalBits() > 0)
        {
            throughput.bits.emplace(name, bits);
        }
    }
    return throughput;
}

Sending
SendingOf(std::int64_t startNs, std::int64_t endNs, std::uint64_t bits)
{
    return {static_cast<double>(startNs),
            static_cast<double>(std::max(endNs, startNs + 1)),
            static_cast<double>(bits)};
}

} // namespace

std::map<std::string, double>
WanCapacities(const trace::RunHeader& header)
{
    std::map<std::string, double> capacities;
    for (const auto& capacity : header.wan_capacities())
    {
        if (capacity.bps() > 0)
        {
            capacities.emplace(capacity.name(), capacity.bps());
        }
    }
    return capacities;
}

void
AddShaped(const std::vector<Sending>& sendings, double capacityBps, BinnedBits& binned)
{
    std::vector<RateChange> changes;
    for (const auto& [startNs, endNs, bits] : sendings)
    {
        const double rate = bits / (endNs - startNs);
        changes.push_back({startNs, rate, 1});
        changes.push_back({endNs, -rate, -1});
    }
    std::stable_sort(changes.begin(), changes.end());
    ShapingQueue queue(capacityBps / 1e9, binned);
    double rate = 0;
    int underWay = 0;
    for (std::size_t i = 0; i < changes.size(); ++i)
    {
        underWay += changes[i].sendings;
        rate = underWay > 0 ? std::max(0.0, rate + changes[i].rate) : 0; // rounding adds up
        if (i + 1 == changes.size())
        {
            queue.Drain(changes[i].atNs);
        }
        else if (changes[i].atNs < changes[i + 1].atNs)
        {
            queue.Take(changes[i].atNs, changes[i + 1].atNs, rate);
        }
    }
}

WanThroughput
GatherWanThroughput(const trace::RunHeader& header,
                    const std::vector<trace::LinkSample>& samples,
                    MeasuredSpan window,
                    std::size_t bins)
{
    std::map<std::string, std::vector<Sending>> links;
    for (const auto& sample : samples)
    {
        links[sample.link()].push_back(
            SendingOf(sample.time_ns() - sample.interval_ns(), sample.time_ns(), sample.bits()));
    }
    auto throughput = Spread(header, links, window, bins);
    throughput.fromLinks = true;
    return throughput;
}

WanThroughput
GatherWanThroughput(const RunTally& tally, MeasuredSpan window, std::size_t bins)
{
    const auto& header = tally.header;
    if (!tally.wanSamples.empty())
    {
        return GatherWanThroughput(header, tally.wanSamples, window, bins);
    }
    std::map<std::string, std::vector<Sending>> pairs;
    const auto dataCentreOf = [&](std::uint32_t node)
    { return header.nodes(static_cast<int>(node)).data_centre(); };
    for (const auto& message : tally.MessagesOverWan())
    {
        pairs[dataCentreOf(message.source()) + " -> " + dataCentreOf(message.destination())]
            .push_back(SendingOf(message.send_start_ns(), message.sent_ns(), 8 * message.bytes()));
    }
    return Spread(header, pairs, window, bins);
}

} // namespace geotrain
