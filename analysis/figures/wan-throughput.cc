// SPDX-License-Identifier: GPL-2.0-only
#include "figures/wan-throughput.h"

#include <algorithm>

namespace geotrain
{

BinnedBits::BinnedBits(MeasuredSpan window, std::size_t bins)
    : m_window(window),
      m_binNs(static_cast<double>(window.endNs - window.startNs) / static_cast<double>(bins)),
      m_bits(bins)
{
}

void
BinnedBits::Add(std::int64_t startNs, std::int64_t endNs, double bits)
{
    endNs = std::max(endNs, startNs + 1);
    const double density = bits / static_cast<double>(endNs - startNs);
    const auto from = static_cast<double>(std::max(startNs, m_window.startNs) - m_window.startNs);
    const auto to = static_cast<double>(std::min(endNs, m_window.endNs) - m_window.startNs);
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

/// Returns the series that carried something.
std::map<std::string, BinnedBits>
Used(std::map<std::string, BinnedBits> bits)
{
    for (auto entry = bits.begin(); entry != bits.end();)
    {
        entry = entry->second.TotalBits() > 0 ? std::next(entry) : bits.erase(entry);
    }
    return bits;
}

} // namespace

WanThroughput
GatherWanThroughput(const std::vector<trace::LinkSample>& samples,
                    MeasuredSpan window,
                    std::size_t bins)
{
    std::map<std::string, BinnedBits> links;
    for (const auto& sample : samples)
    {
        links.try_emplace(sample.link(), window, bins)
            .first->second.Add(sample.time_ns() - sample.interval_ns(),
                               sample.time_ns(),
                               static_cast<double>(sample.bits()));
    }
    return {true, Used(std::move(links))};
}

WanThroughput
GatherWanThroughput(const RunTally& tally, MeasuredSpan window, std::size_t bins)
{
    if (!tally.SamplesOfWan().empty())
    {
        return GatherWanThroughput(tally.SamplesOfWan(), window, bins);
    }
    std::map<std::string, BinnedBits> pairs;
    const auto dataCentreOf = [&](std::uint32_t node)
    { return tally.Header().nodes(static_cast<int>(node)).data_centre(); };
    for (const auto& message : tally.MessagesOverWan())
    {
        const std::string pair =
            dataCentreOf(message.source()) + " -> " + dataCentreOf(message.destination());
        pairs.try_emplace(pair, window, bins)
            .first->second.Add(message.send_start_ns(),
                               message.sent_ns(),
                               8 * static_cast<double>(message.bytes()));
    }
    return {false, Used(std::move(pairs))};
}

} // namespace geotrain
