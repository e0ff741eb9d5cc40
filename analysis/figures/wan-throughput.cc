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
    explicit ShapingQueue(BinnedBits& binned)
        : m_binned(binned)
    {
    }

    /// Takes bits at `rate` from `startNs` to `endNs`, in which it has this capacity.
    void Take(double startNs, double endNs, double rate, double capacity)
    {
        m_capacity = capacity;
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

    double m_capacity = 0;
    BinnedBits& m_binned;
    double m_waiting = 0;
};

/// A RateChange is a moment at which sendings begin or end, or at which the capacity changes.
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
    const auto capacities = CapacitiesOfLinks(header);
    for (const auto& [name, sendings] : series)
    {
        const auto capacity = capacities.find(name);
        const bool isKnown = capacity != capacities.end();
        BinnedBits bits(window, bins);
        AddShaped(sendings, isKnown ? capacity->second : CapacityCurve(INFINITY), bits);
        if (bits.TotalBits() > 0)
        {
            throughput.bits.emplace(name, bits);
        }
        const double begin = 1e-9 * static_cast<double>(window.startNs);
        const double width = window.Seconds() / static_cast<double>(bins);
        for (std::size_t bin = 0; isKnown && bin < bins; ++bin)
        {
            const double from = begin + width * static_cast<double>(bin);
            throughput.capacitiesBps[name].push_back(capacity->second.MeanIn(from, from + width));
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

void
AddShaped(const std::vector<Sending>& sendings, const CapacityCurve& capacity, BinnedBits& binned)
{
    std::vector<RateChange> changes;
    for (const auto& [startNs, endNs, bits] : sendings)
    {
        const double rate = bits / (endNs - startNs);
        changes.push_back({startNs, rate, 1});
        changes.push_back({endNs, -rate, -1});
    }
    if (changes.empty())
    {
        return;
    }
    std::stable_sort(changes.begin(), changes.end());
    const auto windowEndNs = static_cast<double>(binned.Window().endNs);
    const double endNs = std::max(changes.back().atNs, windowEndNs); // what waits goes until then
    for (const double at : capacity.ChangesIn(1e-9 * changes.front().atNs, 1e-9 * endNs))
    {
        changes.push_back({1e9 * at, 0, 0});
    }
    std::stable_sort(changes.begin(), changes.end());
    ShapingQueue queue(binned);
    double rate = 0;
    int underWay = 0;
    for (std::size_t i = 0; i < changes.size(); ++i)
    {
        underWay += changes[i].sendings;
        rate = underWay > 0 ? std::max(0.0, rate + changes[i].rate) : 0; // rounding adds up
        const double fromNs = changes[i].atNs;
        const double untilNs = i + 1 < changes.size() ? changes[i + 1].atNs : endNs;
        if (fromNs < untilNs)
        {
            queue.Take(fromNs, untilNs, rate, capacity.At(0.5e-9 * (fromNs + untilNs)) / 1e9);
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
