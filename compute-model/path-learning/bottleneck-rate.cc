// SPDX-License-Identifier: GPL-2.0-only
#include "path-learning/bottleneck-rate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

namespace geotrain
{

namespace
{

// All are estimates.
constexpr std::size_t shortestTrain = 50; // packets: granularity of a packet is 2 % of a train
constexpr double longestPiece = 1;        // s
constexpr double fewestPieces = 10;       // of all busy time
constexpr double commonShare = 0.1;       // of the busy time, which has about the same rate
constexpr double commonWidth = 0.02;      // of such rates
constexpr double fastestUnseen = 1000;    // over the rate that was sent, where nothing waited
constexpr int bisections = 40;
constexpr double greatestBytesPerSecond =
    1e14 / 8;                         // bytes/s: 100 Tbit/s, the greatest rate of a link
constexpr double exactWidth = 0.0005; // of a spacing that is one packet time, not jitter
constexpr double exactShare = 0.002;  // of all spacings: a sharp one may be this rare
constexpr double fewestExact = 10;
constexpr double fasterReach = 0.02; // below a spacing, in which jitter would be
constexpr double floorStep = 10;     // times what is there
constexpr double largestFactor = 10; // over the rate of busy seconds
constexpr double longestChain = 1000;
constexpr double overtakingJitter = 0.001; // s, of a recording host

/// A Train is a run of packets each of which was sent while the one before was in the buffer.
struct Train
{
    std::vector<double> arrivals; ///< s
    std::vector<double> bytes;    ///< up to each, without the first's
    double waited = 0;            ///< s, of the first beyond the least delay
};

/// Returns the trains of a record. A lost packet ends one where `endsAtLoss`.
std::vector<Train>
TrainsOf(const PacketTrace& trace, bool endsAtLoss)
{
    const double least = LeastDelay(trace).ToSeconds();
    std::vector<Train> trains;
    bool continues = false;
    for (const TracedPacket& packet : trace.packets)
    {
        if (!packet.delay)
        {
            continues = continues && !endsAtLoss;
            continue;
        }
        const double sent = SecondsOf(packet.sent);
        const double arrival = SecondsOf(packet.sent + *packet.delay);
        const double before = continues ? trains.back().arrivals.back() : 0;
        if (!continues || sent + least >= before || arrival < before - overtakingJitter)
        {
            trains.push_back({{arrival}, {0}, arrival - sent - least});
        }
        else
        {
            trains.back().arrivals.push_back(std::max(arrival, before));
            trains.back().bytes.push_back(trains.back().bytes.back() +
                                          static_cast<double>(packet.size.Count()));
        }
        continues = true;
    }
    return trains;
}

std::size_t
PacketsIn(const std::vector<Train>& trains)
{
    return std::accumulate(trains.begin(),
                           trains.end(),
                           std::size_t{0},
                           [](std::size_t sum, const Train& train)
                           { return sum + train.arrivals.size() - 1; });
}

/// A Piece is a time in which the buffer was busy.
struct Piece
{
    double bytes = 0;
    double seconds = 0;

    double Rate() const
    {
        return bytes / seconds;
    }
};

/// Cuts trains into pieces of `seconds` or more. Trains whose first packet had waited for longer
/// than the train lasts say what was before them: a stall, or others' packets.
std::vector<Piece>
PiecesOf(const std::vector<Train>& trains, double seconds)
{
    std::vector<Piece> pieces;
    for (const Train& train : trains)
    {
        const std::size_t last = train.arrivals.size() - 1;
        if (train.waited > train.arrivals.back() - train.arrivals.front())
        {
            continue;
        }
        std::size_t first = 0;
        for (std::size_t i = 1; i <= last; ++i)
        {
            const double length = train.arrivals[i] - train.arrivals[first];
            const bool isWhole = length >= seconds || (first == 0 && i == last && length > 0);
            if (i - first + 1 >= shortestTrain && isWhole)
            {
                pieces.push_back({train.bytes[i] - train.bytes[first], length});
                first = i;
            }
        }
    }
    return pieces;
}

/// Returns the median over the time of pieces, which are at least one.
double
MedianRate(std::vector<Piece> pieces)
{
    std::sort(pieces.begin(),
              pieces.end(),
              [](const Piece& a, const Piece& b) { return a.Rate() < b.Rate(); });
    double left = 0;
    for (const Piece& piece : pieces)
    {
        left += piece.seconds / 2;
    }
    std::size_t median = 0;
    while (median + 1 < pieces.size() && left > pieces[median].seconds)
    {
        left -= pieces[median++].seconds;
    }
    return pieces[median].Rate();
}

/// Returns how much longer than the least the packets of a record stay on average, in seconds, if
/// they alone take a buffer that empties at `bytesPerSecond`.
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

/// Returns the least rate, from that of the whole record, with which packets wait for one another
/// no longer than they did. Where they hardly did, the rate is far above what was sent.
double
RateWithoutWaiting(const PacketTrace& trace)
{
    double seen = 0;
    double arrived = 0;
    double bytes = 0;
    Instant last;
    for (const TracedPacket& packet : trace.packets)
    {
        if (packet.delay)
        {
            seen += packet.delay->ToSeconds();
            arrived += 1;
            bytes += static_cast<double>(packet.size.Count());
            last = std::max(last, packet.sent + *packet.delay);
        }
    }
    seen = seen / arrived - LeastDelay(trace).ToSeconds() +
           0.5e-9 * static_cast<double>(TickOf(trace));
    double low = bytes / std::max(1e-9, SecondsOf(last));
    double high = low * fastestUnseen;
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

/// Returns the sum of trains.
Piece
WholeOf(const std::vector<Train>& trains)
{
    Piece whole;
    for (const Train& train : trains)
    {
        whole.bytes += train.bytes.back();
        whole.seconds += train.arrivals.back() - train.arrivals.front();
    }
    return whole;
}

double
BusyBytesPerSecond(const PacketTrace& trace)
{
    const std::vector<Train> trains = TrainsOf(trace, false);
    const Piece whole = WholeOf(trains);
    const std::vector<Piece> pieces =
        PiecesOf(trains, std::min(longestPiece, whole.seconds / fewestPieces));
    if (!pieces.empty())
    {
        return MedianRate(pieces);
    }
    const bool areEnough = PacketsIn(trains) >= shortestTrain && whole.seconds > 0;
    return areEnough ? whole.Rate() : RateWithoutWaiting(trace);
}

/// Returns the logarithms of seconds per byte of `length` packets after a first one that passed a
/// busy buffer one after the other. Ascending.
std::vector<double>
SpacingsOf(const PacketTrace& trace, std::size_t length)
{
    std::vector<double> spacings;
    for (const Train& train : TrainsOf(trace, true))
    {
        for (std::size_t i = length; i < train.arrivals.size(); ++i)
        {
            const double seconds = train.arrivals[i] - train.arrivals[i - length];
            const double bytes = train.bytes[i] - train.bytes[i - length];
            spacings.push_back(std::log(std::max(seconds, 1e-9) / bytes));
        }
    }
    std::sort(spacings.begin(), spacings.end());
    return spacings;
}

/// Returns the spacing at which spacings begin, which is at most `greatest`: many are it exactly,
/// fewer are faster, as behind a stall, and hardly any are a little faster. Jitter begins
/// gradually. More common ones may be near, as where cross traffic put a little between most
/// packets.
std::optional<double>
FloorOf(const std::vector<double>& spacings, double greatest)
{
    const auto below = [&](double value)
    {
        return static_cast<double>(std::lower_bound(spacings.begin(), spacings.end(), value) -
                                   spacings.begin());
    };
    const double rarest = std::max(fewestExact, exactShare * static_cast<double>(spacings.size()));
    const double least = greatest - std::log(largestFactor);
    for (auto at = static_cast<std::size_t>(below(least));
         at < spacings.size() && spacings[at] <= greatest;
         ++at)
    {
        const double value = spacings[at];
        const double faster = below(value - exactWidth);
        const double exact = below(value + exactWidth) - faster;
        const double nearlyAsFast = faster - below(value - fasterReach);
        if (exact >= std::max({rarest, faster, floorStep * nearlyAsFast}))
        {
            return spacings[static_cast<std::size_t>(faster + exact / 2)];
        }
    }
    return std::nullopt;
}

BitRate
RateOf(double bytesPerSecond)
{
    return BitRate::BitsPerSecond(
        std::llround(8 * std::clamp(bytesPerSecond, 0.125, greatestBytesPerSecond)));
}

} // namespace

BitRate
BusyRate(const PacketTrace& trace)
{
    return RateOf(BusyBytesPerSecond(trace));
}

BitRate
FreeRate(const PacketTrace& trace)
{
    const std::vector<Train> trains = TrainsOf(trace, false);
    const double seconds = std::min(longestPiece, WholeOf(trains).seconds / fewestPieces);
    std::vector<Piece> pieces = PiecesOf(trains, seconds);
    std::sort(pieces.begin(),
              pieces.end(),
              [](const Piece& a, const Piece& b) { return a.Rate() > b.Rate(); });
    const auto addSeconds = [](double sum, const Piece& piece) { return sum + piece.seconds; };
    const double common =
        commonShare * std::accumulate(pieces.begin(), pieces.end(), 0.0, addSeconds);
    for (auto first = pieces.begin(); first != pieces.end(); ++first)
    {
        const auto last = std::find_if(
            first,
            pieces.end(),
            [&](const Piece& piece) { return piece.Rate() < (1 - commonWidth) * first->Rate(); });
        if (std::accumulate(first, last, 0.0, addSeconds) >= common)
        {
            return RateOf(MedianRate({first, last}));
        }
    }
    return BusyRate(trace);
}

std::optional<BitRate>
ExactRate(const PacketTrace& trace)
{
    const double busy = BusyBytesPerSecond(trace);
    double bytes = 0;
    for (const TracedPacket& packet : trace.packets)
    {
        bytes += static_cast<double>(packet.size.Count());
    }
    const double packetNs = 1e9 * bytes / static_cast<double>(trace.packets.size()) / busy;
    // A tick of the clocks is within the width of a spacing of so many packets.
    const double length =
        std::ceil(static_cast<double>(TickOf(trace)) / (exactWidth * std::max(packetNs, 1e-3)));
    if (!ShowsRate(trace) || length > longestChain)
    {
        return std::nullopt;
    }
    const auto spacing =
        FloorOf(SpacingsOf(trace, static_cast<std::size_t>(length)), fasterReach - std::log(busy));
    return spacing ? std::optional(RateOf(std::exp(-*spacing))) : std::nullopt;
}

bool
ShowsRate(const PacketTrace& trace)
{
    return PacketsIn(TrainsOf(trace, false)) >= shortestTrain;
}

} // namespace geotrain
