// SPDX-License-Identifier: GPL-2.0-only
#include "learned-path/trainer/recorded-cross-traffic.h"

#include <algorithm>

namespace geotrain
{

namespace
{

constexpr double leastKnown = 0.5; // of a bin; an estimate

/// CrossBins adds up what is known, bin by bin. Times are in seconds.
class CrossBins
{
  public:
    CrossBins(double binSeconds, std::size_t count)
        : m_binSeconds(binSeconds),
          m_bins(count)
    {
    }

    /// Adds what came between two times, evenly.
    void Add(double from, double to, double cross)
    {
        const std::size_t last = IndexOf(to);
        for (std::size_t i = IndexOf(from); i <= last; ++i)
        {
            const double begin = std::max(from, static_cast<double>(i) * m_binSeconds);
            const double end =
                i < last ? std::max(begin, static_cast<double>(i + 1) * m_binSeconds) : to;
            const double share = to > from ? (end - begin) / (to - from) : 1;
            m_bins[i].known += end - begin;
            m_bins[i].cross += share * cross;
        }
    }

    /// Returns the bins' shares. Noise of clocks gives bins below 0, which the next ones make up for.
    std::vector<std::optional<double>> Shares() const
    {
        std::vector<std::optional<double>> shares(m_bins.size());
        double owed = 0;
        for (std::size_t i = 0; i < m_bins.size(); ++i)
        {
            if (m_bins[i].known < leastKnown * m_binSeconds)
            {
                owed = 0;
                continue;
            }
            const double share = m_bins[i].cross / m_bins[i].known - owed;
            shares[i] = std::max(0.0, share);
            owed = std::max(0.0, -share);
        }
        return shares;
    }

  private:
    struct Bin
    {
        double known = 0;
        double cross = 0; ///< s of the rate
    };

    std::size_t IndexOf(double at) const
    {
        return std::min(static_cast<std::size_t>(at / m_binSeconds), m_bins.size() - 1);
    }

    double m_binSeconds;
    std::vector<Bin> m_bins;
};

} // namespace

std::vector<std::optional<double>>
RecordedCrossTraffic(const PacketTrace& trace,
                     const PathLane& lane,
                     Duration bin,
                     std::size_t count)
{
    const double bytesPerSecond = static_cast<double>(lane.rate.ToBitsPerSecond()) / 8;
    CrossBins bins(bin.ToSeconds(), count);
    bool hasBefore = false;
    double from = 0;
    double before = 0; // stay of the packet before
    for (const TracedPacket& packet : trace.packets)
    {
        if (!packet.delay)
        {
            continue;
        }
        const double at = (packet.sent - Instant()).ToSeconds();
        const double stay = (*packet.delay - lane.propagation).ToSeconds();
        if (hasBefore && before >= at - from)
        {
            const double own = static_cast<double>(packet.size.Count()) / bytesPerSecond;
            bins.Add(from, at, stay - own - before + at - from);
        }
        hasBefore = true;
        from = at;
        before = stay;
    }
    return bins.Shares();
}

} // namespace geotrain
