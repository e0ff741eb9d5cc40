// SPDX-License-Identifier: GPL-2.0-only
#include "path-learning/ibox-estimate.h"

#include "path-learning/random-loss.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace geotrain
{

namespace
{

constexpr double bitsPerByte = 8;
constexpr double knownShare = 0.1;    // of a bin, below which its cross traffic is unknown
constexpr double greatestRate = 1e14; // 100 Tbit/s, the greatest rate of a link
const Bytes greatestBuffer = Bytes::Of(1000000000000); // the greatest queue of a link
constexpr double fastestUnseen = 1000;    // over the rate that was sent, where nothing waited
constexpr int bisections = 40;
constexpr std::int64_t unseenFactor = 10; // buffer over what was seen of one that never was full
const Duration peakWindow = Duration::Milliseconds(1000); // rbu.md and iBoxNet: a sliding second

struct ArrivedBytes
{
    Instant at;
    double bytes;

    bool operator<(const ArrivedBytes& other) const
    {
        return at < other.at;
    }
};

std::vector<ArrivedBytes>
ArrivalsOf(const PacketTrace& trace)
{
    std::vector<ArrivedBytes> arrivals;
    for (const TracedPacket& packet : trace.packets)
    {
        if (packet.delay)
        {
            arrivals.push_back(
                {packet.sent + *packet.delay, static_cast<double>(packet.size.Count())});
        }
    }
    std::stable_sort(arrivals.begin(), arrivals.end());
    return arrivals;
}

/// Returns the greatest rate of arrivals in bytes/s within `window`: bytes after one arrival up to
/// the first that is a window later, over the time between the two. A shorter record is one window.
double
PeakRate(const PacketTrace& trace, Duration longestWindow)
{
    const std::vector<ArrivedBytes> arrivals = ArrivalsOf(trace);
    const Duration window = std::min(longestWindow, arrivals.back().at - arrivals.front().at);
    double peak = 0;
    double bytes = 0;
    std::size_t last = 0;
    for (std::size_t first = 0; first < arrivals.size(); ++first)
    {
        while (last + 1 < arrivals.size() && arrivals[last].at - arrivals[first].at < window)
        {
            bytes += arrivals[++last].bytes;
        }
        const Duration span = arrivals[last].at - arrivals[first].at;
        if (span < window || span == Duration())
        {
            break;
        }
        peak = std::max(peak, bytes / span.ToSeconds());
        bytes -= arrivals[std::min(first + 1, last)].bytes;
    }
    return peak;
}

/// Returns how much longer than the least the packets of a record stay on average, in seconds, if they alone
/// take a buffer that empties at `bytesPerSecond`.
double
MeanWaitAt(const PacketTrace& trace, double bytesPerSecond)
{
    double backlog = 0; // s
    double least = std::numeric_limits<double>::max();
    double sum = 0;
    Instant before = trace.packets.front().sent;
    for (const TracedPacket& packet : trace.packets)
    {
        backlog = std::max(0.0, backlog - (packet.sent - before).ToSeconds()) +
                  static_cast<double>(packet.size.Count()) / bytesPerSecond;
        before = packet.sent;
        least = std::min(least, backlog);
        sum += backlog;
    }
    return sum / static_cast<double>(trace.packets.size()) - least;
}

/// Returns the least rate, from one that the packets had, with which they wait for one another no longer than
/// they did. Where they hardly did, the rate is far above what was sent.
double
RateWithoutWaiting(const PacketTrace& trace, double leastRate)
{
    double seen = 0;
    double arrived = 0;
    for (const TracedPacket& packet : trace.packets)
    {
        seen += packet.delay ? packet.delay->ToSeconds() : 0;
        arrived += packet.delay ? 1 : 0;
    }
    seen = seen / arrived - LeastDelay(trace).ToSeconds() +
           0.5e-9 * static_cast<double>(TickOf(trace));
    double low = leastRate;
    double high = leastRate * fastestUnseen;
    if (MeanWaitAt(trace, low) <= seen)
    {
        return low;
    }
    for (int i = 0; i < bisections; ++i)
    {
        const double middle = std::sqrt(low * high);
        (MeanWaitAt(trace, middle) <= seen ? high : low) = middle;
    }
    return high;
}

/// Returns the rate in bytes/s at which the buffer empties.
double
RateOfBuffer(const PacketTrace& trace)
{
    const BusyTrains trains = TrainsOf(trace);
    if (trains.longest > Duration())
    {
        return PeakRate(trace, std::min(trains.longest, peakWindow));
    }
    const double peak = PeakRate(trace, peakWindow);
    const bool areEnough = trains.packets >= shortestTrain && trains.time > Duration();
    return areEnough ? std::max(peak, trains.bytes / trains.time.ToSeconds())
                     : RateWithoutWaiting(trace, peak);
}

/// Returns the least delay without the packet's own time on the wire.
Duration
LeastPropagation(const PacketTrace& trace, BitRate rate)
{
    Duration least = Duration::Nanoseconds(INT64_MAX);
    for (const TracedPacket& packet : trace.packets)
    {
        if (packet.delay)
        {
            least = std::min(least, *packet.delay - rate.TransmissionTime(packet.size));
        }
    }
    return std::max(least, Duration());
}

Bytes
BufferOf(const PacketTrace& trace, BitRate rate, Duration propagation)
{
    Duration longest;
    Bytes largestPacket;
    bool isLossy = false;
    for (const TracedPacket& packet : trace.packets)
    {
        isLossy = isLossy || !packet.delay;
        longest = std::max(longest, packet.delay.value_or(Duration()));
        largestPacket = std::max(largestPacket, packet.size);
    }
    // The greatest backlog that was seen fits. Where nothing was lost, far more may.
    auto buffer = rate.In(std::max(longest - propagation, Duration())) + Bytes::Of(1);
    if (!isLossy)
    {
        buffer = std::max(buffer * unseenFactor, rate.In(peakWindow));
    }
    return std::min(std::max(buffer, largestPacket), greatestBuffer);
}

/// CrossTrafficBins adds up what is known of cross traffic, bin by bin.
class CrossTrafficBins
{
  public:
    explicit CrossTrafficBins(Duration span)
        : m_bins(static_cast<std::size_t>(span.ToNanoseconds() / crossTrafficBinNs) + 1)
    {
    }

    /// Adds `bytes` of cross traffic that came evenly between two times.
    void AddBusy(Instant from, Instant to, double bytes)
    {
        const double whole = (to - from).ToSeconds();
        for (std::size_t i = IndexOf(from); i <= IndexOf(to); ++i)
        {
            const Instant begin =
                Instant::FromNanoseconds(static_cast<std::int64_t>(i) * crossTrafficBinNs);
            const Instant end = begin + Duration::Nanoseconds(crossTrafficBinNs);
            const Duration inside = std::min(to, end) - std::max(from, begin);
            if (inside > Duration() || from == to)
            {
                const double seconds = inside.ToSeconds();
                m_bins[i].busySeconds += seconds;
                m_bins[i].crossBytes += whole > 0 ? bytes * seconds / whole : bytes;
            }
        }
    }

    void AddSent(const TracedPacket& packet)
    {
        m_bins[IndexOf(packet.sent)].sentBytes += static_cast<double>(packet.size.Count());
    }

    BusyCrossTraffic Finish(double bytesPerSecond) const
    {
        BusyCrossTraffic result;
        result.series.bin = Duration::Nanoseconds(crossTrafficBinNs);
        const double mean = Mean();
        for (const Bin& bin : m_bins)
        {
            const double binSeconds = result.series.bin.ToSeconds();
            const bool isKnown = bin.busySeconds >= knownShare * binSeconds;
            const double room = bytesPerSecond - bin.sentBytes / binSeconds;
            const double rate = isKnown ? bin.crossBytes / bin.busySeconds : std::min(mean, room);
            result.series.bitsPerSecond.push_back(bitsPerByte * std::max(0.0, rate));
            result.isKnown.push_back(isKnown);
        }
        return result;
    }

  private:
    struct Bin
    {
        double busySeconds = 0;
        double crossBytes = 0; ///< while busy
        double sentBytes = 0;  ///< of the recorded packets
    };

    static std::size_t IndexOf(Instant at)
    {
        return static_cast<std::size_t>((at - Instant()).ToNanoseconds() / crossTrafficBinNs);
    }

    double Mean() const
    {
        double bytes = 0;
        double seconds = 0;
        for (const Bin& bin : m_bins)
        {
            bytes += bin.crossBytes;
            seconds += bin.busySeconds;
        }
        return seconds > 0 ? std::max(0.0, bytes / seconds) : 0;
    }

    std::vector<Bin> m_bins;
};

/// Estimates the path of what is left of a record without its losses at random.
PathParameters
EstimateFor(const RandomLoss& random, BitRate rate)
{
    PathParameters path;
    path.rate = rate;
    path.propagation = LeastPropagation(random.trace, path.rate);
    path.buffer = BufferOf(random.trace, path.rate, path.propagation);
    path.crossTraffic = EstimateCrossTraffic(random.trace, path.rate, path.propagation).series;
    path.lossShare = random.share;
    return path;
}

} // namespace

PathParameters
EstimatePath(const PacketTrace& trace)
{
    const RandomLoss random = RandomLossOf(trace);
    return EstimateFor(random,
                       BitRate::BitsPerSecond(std::llround(
                           std::clamp(bitsPerByte * RateOfBuffer(trace), 1.0, greatestRate))));
}

PathParameters
EstimatePath(const PacketTrace& trace, BitRate rate)
{
    return EstimateFor(RandomLossOf(trace), rate);
}

BusyCrossTraffic
EstimateCrossTraffic(const PacketTrace& trace, BitRate rate, Duration propagation)
{
    const double bytesPerSecond = static_cast<double>(rate.ToBitsPerSecond()) / bitsPerByte;
    const auto backlog = [&](const TracedPacket& packet)
    { return bytesPerSecond * (*packet.delay - propagation).ToSeconds(); };
    CrossTrafficBins bins(trace.packets.back().sent - Instant());
    const TracedPacket* before = nullptr;
    for (const TracedPacket& packet : trace.packets)
    {
        bins.AddSent(packet);
        if (!packet.delay)
        {
            continue;
        }
        const auto size = static_cast<double>(packet.size.Count());
        if (before)
        {
            const double gone = bytesPerSecond * (packet.sent - before->sent).ToSeconds();
            // The buffer was busy all the time if the packet before is still in it, whatever came.
            if (backlog(*before) >= gone)
            {
                bins.AddBusy(
                    before->sent, packet.sent, backlog(packet) - backlog(*before) + gone - size);
            }
        }
        before = &packet;
    }
    return bins.Finish(bytesPerSecond);
}

} // namespace geotrain
