// SPDX-License-Identifier: GPL-2.0-only
#include "path-learning/ibox-estimate.h"

#include "path-learning/bottleneck-rate.h"
#include "path-learning/random-loss.h"
#include "path-learning/recorded-delays.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace geotrain
{

namespace
{

constexpr double bitsPerByte = 8;
constexpr double knownShare = 0.1;    // of a bin, below which its cross traffic is unknown
constexpr double greatestRate = 1e14; // 100 Tbit/s, the greatest rate of a link
const Bytes greatestBuffer = Bytes::Of(1000000000000); // the greatest queue of a link
constexpr double fullQuantile = 0.9; // of the delays before losses: longer ones are of stalls
constexpr double mostDelays = 0.99;  // of the others: losses may be of something else
const Duration unseenTime =
    Duration::Milliseconds(60000);        // in which a buffer empties that never was full
constexpr std::int64_t jitterPackets = 4; // of a busy time, where spacings aren't exact
constexpr double burstyFactor = 10;       // an estimate
constexpr double leastCrossShare = 0.02;  // of the rate: below is the error of the rate itself

/// Returns the value that a share of the values is not above; they are at least one.
Duration
Quantile(std::vector<Duration>& values, double share)
{
    const auto at = values.begin() +
                    static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

Bytes
BufferOf(const PacketTrace& trace, BitRate rate, Duration propagation)
{
    Duration last;
    Bytes largestPacket;
    std::vector<Duration> delays;
    std::vector<Duration> beforeLosses; // of the last arrivals
    for (const TracedPacket& packet : trace.packets)
    {
        largestPacket = std::max(largestPacket, packet.size);
        last = packet.delay.value_or(last);
        (packet.delay ? delays : beforeLosses).push_back(last);
    }
    // The backlog that was seen where packets were lost fits. Where nothing was lost, far more may.
    const bool isLossy = !beforeLosses.empty();
    Duration longest = Quantile(delays, isLossy ? mostDelays : 1);
    longest = isLossy ? std::max(longest, Quantile(beforeLosses, fullQuantile)) : longest;
    auto buffer = rate.In(std::max(longest - propagation, Duration())) + Bytes::Of(1);
    if (!isLossy)
    {
        buffer = std::max(buffer, rate.In(unseenTime));
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
        const double mean = Mean();
        if (mean < leastCrossShare * bytesPerSecond)
        {
            return result;
        }
        result.series.bin = Duration::Nanoseconds(crossTrafficBinNs);
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
        return seconds > 0 ? bytes / seconds : 0;
    }

    std::vector<Bin> m_bins;
};

/// BusyTime is a time, while the buffer was busy, in which cross traffic came.
struct BusyTime
{
    Instant from;
    Instant to;
    double bytes; ///< by conservation of bytes: below 0 where more left the buffer than can
};

/// Makes no time's bytes negative. What later leaves the buffer faster than it can had been there:
/// it takes bytes from the times before, back to where the buffer began to be busy. So does
/// `jitter`, by which the last packet may be late.
void
CarryBack(std::vector<BusyTime>& busy, double jitter)
{
    double owed = 0;
    for (std::size_t i = busy.size(); i-- > 0;)
    {
        const bool isLast = i + 1 == busy.size() || busy[i].to < busy[i + 1].from;
        const double bytes = busy[i].bytes - (isLast ? jitter : owed);
        owed = std::max(0.0, -bytes);
        busy[i].bytes = std::max(0.0, bytes);
    }
}

/// Returns whether cross traffic comes in bursts, as of files: packets at random times give the
/// bytes of a second a variance of `packet` times their mean. Seconds are of bins that are known.
bool
IsBursty(const BusyCrossTraffic& cross, Bytes packet)
{
    constexpr std::size_t binsPerSecond = 1000000000 / crossTrafficBinNs;
    std::vector<double> seconds;
    double bytes = 0;
    std::size_t bins = 0;
    for (std::size_t i = 0; i < cross.isKnown.size(); ++i)
    {
        bytes += cross.isKnown[i] ? cross.series.bitsPerSecond[i] / binsPerSecond / bitsPerByte : 0;
        bins += cross.isKnown[i] ? 1 : 0;
        if (bins == binsPerSecond)
        {
            seconds.push_back(bytes);
            bytes = 0;
            bins = 0;
        }
    }
    double mean = 0;
    double square = 0;
    for (const double second : seconds)
    {
        mean += second / static_cast<double>(seconds.size());
        square += second * second / static_cast<double>(seconds.size());
    }
    return square - mean * mean > burstyFactor * mean * static_cast<double>(packet.Count());
}

} // namespace

PathParameters
EstimatePath(const PacketTrace& trace)
{
    const auto exact = ExactRate(trace);
    PathParameters path = EstimateFifo(trace, exact ? *exact : FreeRate(trace));
    PacketTrace mended = trace;
    RemoveStalls(mended, path.rate);
    const auto largest = std::max_element(trace.packets.begin(),
                                          trace.packets.end(),
                                          [](const TracedPacket& a, const TracedPacket& b)
                                          { return a.size < b.size; });
    const Bytes jitter = exact ? Bytes() : largest->size * jitterPackets;
    BusyCrossTraffic cross = EstimateCrossTraffic(RandomLossOf(mended).trace, path, jitter);
    path.crossTraffic = cross.series;
    path.crossTraffic.yields = IsBursty(cross, largest->size);
    for (std::size_t i = 0; i < cross.isKnown.size() && path.crossTraffic.yields; ++i)
    {
        // A connection would have filled the buffer.
        path.crossTraffic.bitsPerSecond[i] *= cross.isKnown[i] ? 1 : 0;
    }
    return path;
}

PathParameters
EstimateFifo(const PacketTrace& trace)
{
    return EstimateFifo(trace, BusyRate(trace));
}

PathParameters
EstimateFifo(const PacketTrace& trace, BitRate rate)
{
    PacketTrace mended = trace;
    RemoveStalls(mended, rate);
    const RandomLoss random = RandomLossOf(mended);
    PathParameters path;
    path.rate = rate;
    path.propagation = LeastPropagation(random.trace, rate);
    path.buffer = BufferOf(random.trace, rate, path.propagation);
    path.lossShare = random.share;
    return path;
}

BusyCrossTraffic
EstimateCrossTraffic(const PacketTrace& trace, const PathParameters& path, Bytes jitter)
{
    const double bytesPerSecond = static_cast<double>(path.rate.ToBitsPerSecond()) / bitsPerByte;
    const auto backlog = [&](const TracedPacket& packet)
    { return bytesPerSecond * (*packet.delay - path.propagation).ToSeconds(); };
    CrossTrafficBins bins(trace.packets.back().sent - Instant());
    std::vector<BusyTime> busy;
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
                busy.push_back(
                    {before->sent, packet.sent, backlog(packet) - backlog(*before) + gone - size});
            }
        }
        before = &packet;
    }
    CarryBack(busy, static_cast<double>(jitter.Count()));
    for (const BusyTime& time : busy)
    {
        bins.AddBusy(time.from, time.to, time.bytes);
    }
    return bins.Finish(bytesPerSecond);
}

} // namespace geotrain
