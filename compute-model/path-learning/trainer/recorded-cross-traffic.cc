// SPDX-License-Identifier: GPL-2.0-only
#include "path-learning/trainer/recorded-cross-traffic.h"

#include "units/random-stream.h"

#include <algorithm>
#include <cmath>

namespace geotrain
{

namespace
{

// All are estimates.
constexpr double leastKnown = 0.5;       // of a bin
constexpr std::size_t nearbyPackets = 8; // to either side of an idle gap
constexpr double leastWait = 0.02;      // of a packet's time, below which it found the buffer empty
constexpr double quietShare = 0.5;      // of the mean, below which it is a quiet time
constexpr double longestGap = 0.5;      // s, over which idle gaps say nothing
constexpr double wholeReach = 0.1;      // of a packet, next to whole ones
constexpr double wholeShare = 0.35;     // of the gaps; of a fluid it is 0.2
constexpr std::size_t fewestWhole = 20; // gaps that tell

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

    /// Adds a packet that came at a time, and that one sent at `waiting` waits for. In a path it delays as if
    /// it came at its bin's beginning, once the bin is over: that is the bin whose beginning is nearest, among
    /// those that end by then.
    void AddPacket(double at, double waiting, double cross)
    {
        const double nearest = std::floor(at / m_binSeconds + 0.5);
        const double last = std::floor(waiting / m_binSeconds) - 1;
        const auto bin = static_cast<std::size_t>(std::max(0.0, std::min(nearest, last)));
        m_bins[std::min(bin, m_bins.size() - 1)].cross += cross;
    }

    /// Returns the shares with cross traffic in whole packets of `own` seconds: each comes at once when
    /// half of it has.
    std::vector<std::optional<double>> SharesInPackets(double own) const
    {
        std::vector<std::optional<double>> shares(m_bins.size());
        double pending = 0; // packets
        for (std::size_t i = 0; i < m_bins.size(); ++i)
        {
            pending += m_bins[i].cross / own;
            if (m_bins[i].known < leastKnown * m_binSeconds)
            {
                continue;
            }
            const double packets = std::max(0.0, std::floor(pending + 0.5));
            pending -= packets;
            shares[i] = packets * own / m_binSeconds;
        }
        return shares;
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

/// A Gap is the time between two packets, in seconds.
struct Gap
{
    double from;
    double to;
    double least; ///< of what came in it
    double most;
    bool isIdle;    ///< the buffer may have been idle
    bool hasWaited; ///< the later packet found the buffer busy
    bool isVague;   ///< a packet was lost at either end, and its room is a guess
};

std::vector<Gap>
GapsOf(const PacketTrace& trace, const PathParameters& path)
{
    const double bytesPerSecond = static_cast<double>(path.rate.ToBitsPerSecond()) / 8;
    const double emptying = static_cast<double>(path.buffer.Count()) / bytesPerSecond;
    std::vector<Gap> gaps;
    bool hasBefore = false;
    double from = 0;
    double before = 0; // how much was left after the packet before
    bool wasLost = false;
    for (const TracedPacket& packet : trace.packets)
    {
        const double at = (packet.sent - Instant()).ToSeconds();
        const double own = static_cast<double>(packet.size.Count()) / bytesPerSecond;
        // A lost packet found less room than its own.
        const double found = packet.delay ? (*packet.delay - path.propagation).ToSeconds() - own
                                          : std::max(0.0, emptying - own / 2);
        if (hasBefore)
        {
            const double most = found - before + at - from;
            const double least = found - std::max(0.0, before - (at - from));
            const bool isIdle = before < at - from;
            const bool hasWaited = found > leastWait * own;
            gaps.push_back({from, at, least, most, isIdle, hasWaited, wasLost || !packet.delay});
        }
        hasBefore = true;
        from = at;
        before = found + (packet.delay ? own : 0);
        wasLost = !packet.delay;
    }
    return gaps;
}

/// Returns the share of the idle gaps around one of them whose later packet had to wait.
double
WaitedAround(const std::vector<Gap>& idle, std::size_t gap)
{
    const std::size_t first = gap > nearbyPackets ? gap - nearbyPackets : 0;
    const std::size_t last = std::min(gap + nearbyPackets + 1, idle.size());
    double waited = 0;
    for (std::size_t i = first; i < last; ++i)
    {
        waited += idle[i].hasWaited ? 1 : 0;
    }
    return waited / static_cast<double>(last - first);
}

/// Returns how long the largest packet takes on the wire.
double
PacketSeconds(const PacketTrace& trace, const PathParameters& path)
{
    Bytes largest;
    for (const TracedPacket& packet : trace.packets)
    {
        largest = std::max(largest, packet.size);
    }
    return path.rate.TransmissionTime(largest).ToSeconds();
}

/// Adds what came in an idle gap, as packets: those that the later packet waited for, and before them some at
/// random times, `share` of the rate, after which the buffer was empty again.
void
AddPackets(CrossBins& bins, const Gap& gap, double share, double own, RandomStream& stream)
{
    bins.Add(gap.from, gap.to, 0);
    const double waitedFor = std::max(0.0, std::ceil(gap.least / own - wholeReach));
    const double came = std::max(gap.from, gap.to - std::max(0.0, waitedFor * own - gap.least));
    bins.AddPacket(came, gap.to, waitedFor * own);
    double left = gap.most - waitedFor * own;
    double at = gap.from - std::log(stream.Uniform()) * own / share;
    while (share > 0 && left >= own && at < came - own)
    {
        bins.Add(at, at, own);
        left -= own;
        at -= std::log(stream.Uniform()) * own / share;
    }
}

} // namespace

bool
ComesInPackets(const PacketTrace& trace, const PathParameters& path)
{
    const double own = PacketSeconds(trace, path);
    std::size_t whole = 0;
    std::size_t all = 0;
    for (const Gap& gap : GapsOf(trace, path))
    {
        const double packets = gap.most / own;
        if (!gap.isIdle && !gap.isVague && packets > wholeReach)
        {
            ++all;
            whole += std::abs(packets - std::round(packets)) <= wholeReach ? 1 : 0;
        }
    }
    return whole >= fewestWhole &&
           static_cast<double>(whole) >= wholeShare * static_cast<double>(all);
}

std::vector<std::optional<double>>
RecordedCrossTraffic(const PacketTrace& trace,
                     const PathParameters& path,
                     Duration bin,
                     std::size_t count)
{
    const bool isInPackets = ComesInPackets(trace, path);
    const double own = PacketSeconds(trace, path);
    CrossBins bins(bin.ToSeconds(), count);
    std::vector<Gap> idle;
    double busy = 0;
    double cross = 0;
    for (const Gap& gap : GapsOf(trace, path))
    {
        if (!gap.isIdle)
        {
            bins.Add(gap.from, gap.to, gap.most);
            busy += gap.to - gap.from;
            cross += gap.most;
        }
        else if (gap.to - gap.from <= longestGap)
        {
            idle.push_back(gap);
        }
    }
    // Bursts are drawn where there is about as much as elsewhere: here where they are packets, else by the
    // path. Packets wait for a link that delivers in bursts, too.
    const double busyMean = busy > 0 ? std::max(0.0, cross / busy) : 0;
    RandomStream stream(1, "learned-path", "idle gaps");
    for (std::size_t i = 0; i < idle.size(); ++i)
    {
        const Gap& gap = idle[i];
        const double waited = WaitedAround(idle, i);
        const bool isQuiet = waited < quietShare * busyMean;
        if (isInPackets)
        {
            AddPackets(bins, gap, isQuiet ? waited : busyMean, own, stream);
        }
        else if (isQuiet)
        {
            const double expected = waited * (gap.to - gap.from);
            bins.Add(gap.from, gap.to, std::min(std::max(expected, gap.least), gap.most));
        }
    }
    return isInPackets ? bins.SharesInPackets(own) : bins.Shares();
}

} // namespace geotrain
