// SPDX-License-Identifier: GPL-2.0-only
#include "path-learning/rate-by-dispersion.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace geotrain
{

namespace
{

// All are estimates.
constexpr double ticksPerTrain = 400;      // clock ticks in a train, so that one is 0.25 %
constexpr std::size_t fewestSpacings = 50; // that anything is said of
constexpr double binWidth = 0.005;         // of the logarithm of a spacing
constexpr std::size_t peakReach = 4;       // bins to either side of a local maximum
constexpr double commonShare = 0.2;        // of the most common spacing's mass
constexpr double exactWidth = 0.0005;      // of a spacing that is one packet time, not jitter
constexpr double exactShare = 0.002;       // of all spacings: a sharp one may be this rare
constexpr double fewestExact = 10;
constexpr double floorStep =
    10; // times what is up to fasterReach faster: where a FIFO's spacings begin
constexpr double largestFactor = 10;  // over the rate that is known
constexpr double fasterReach = 0.02;  // below a spacing; what is nearer is jitter
constexpr double fasterShare = 0.005; // of all spacings; a FIFO has none that are faster
constexpr double longestTrain = 1000;

/// Returns the logarithms of seconds per byte of trains of `length` packets after a first one, each of
/// which was sent while the one before was in the buffer. Ascending.
std::vector<double>
SpacingsOf(const PacketTrace& trace, std::size_t length, Duration least)
{
    std::vector<double> spacings;
    std::vector<Instant> arrivals; // of the train at hand
    std::vector<double> bytes;     // up to each of them
    for (const TracedPacket& packet : trace.packets)
    {
        if (!packet.delay)
        {
            arrivals.clear();
            bytes.clear();
            continue;
        }
        const Instant arrival = packet.sent + *packet.delay;
        const bool isBusy = !arrivals.empty() && packet.sent + least < arrivals.back() &&
                            arrival >= arrivals.back();
        if (!isBusy)
        {
            arrivals.clear();
            bytes.clear();
        }
        const auto size = static_cast<double>(packet.size.Count());
        bytes.push_back(bytes.empty() ? 0 : bytes.back() + size);
        arrivals.push_back(arrival);
        if (arrivals.size() > length)
        {
            const std::size_t first = arrivals.size() - 1 - length;
            const double seconds = (arrival - arrivals[first]).ToSeconds();
            spacings.push_back(std::log(std::max(seconds, 1e-9) / (bytes.back() - bytes[first])));
        }
    }
    std::sort(spacings.begin(), spacings.end());
    return spacings;
}

/// Returns how many spacings are within `reach` of a value.
double
MassAround(const std::vector<double>& spacings, double value, double reach)
{
    const auto from = std::lower_bound(spacings.begin(), spacings.end(), value - reach);
    return static_cast<double>(std::upper_bound(from, spacings.end(), value + reach) - from);
}

double
MedianAround(const std::vector<double>& spacings, double value, double reach)
{
    const auto from = std::lower_bound(spacings.begin(), spacings.end(), value - reach);
    const auto to = std::upper_bound(from, spacings.end(), value + reach);
    return *(from + (to - from) / 2);
}

/// Returns whether spacings begin at `value`: many are it exactly, and hardly any are a little faster.
/// Noise begins gradually. More common ones may be near, as where cross traffic put a little between
/// most packets.
bool
IsFloor(const std::vector<double>& spacings, double value, double rarest)
{
    const double exact = MassAround(spacings, value, exactWidth);
    const double middle = value - (fasterReach + exactWidth) / 2;
    const double faster = MassAround(spacings, middle, (fasterReach - exactWidth) / 2);
    return exact >= std::max(rarest, floorStep * faster);
}

/// Returns the least spacing that is common, or rare but exact. Spacings below `finest` are too short
/// for the clock, whose ticks make steps of noise.
std::optional<double>
LeastCommon(const std::vector<double>& spacings, double least, double greatest, double finest)
{
    const auto bins = static_cast<std::size_t>((greatest - least) / binWidth) + 1;
    std::vector<double> masses(bins);
    for (std::size_t bin = 0; bin < bins; ++bin)
    {
        masses[bin] =
            MassAround(spacings, least + static_cast<double>(bin) * binWidth, 1.5 * binWidth);
    }
    const double most = *std::max_element(masses.begin(), masses.end());
    const double rarest = std::max(fewestExact, exactShare * static_cast<double>(spacings.size()));
    for (std::size_t bin = 0; bin < bins; ++bin)
    {
        const std::size_t from = bin > peakReach ? bin - peakReach : 0;
        const std::size_t to = std::min(bin + peakReach, bins - 1);
        const bool isPeak = masses[bin] == *std::max_element(&masses[from], &masses[to] + 1);
        if (masses[bin] < rarest)
        {
            continue;
        }
        const double value =
            MedianAround(spacings, least + static_cast<double>(bin) * binWidth, 1.5 * binWidth);
        if (value >= finest && IsFloor(spacings, value, rarest))
        {
            return value;
        }
        if (!isPeak)
        {
            continue;
        }
        const bool isExact =
            MassAround(spacings, value, exactWidth) >= std::max(rarest, 0.8 * masses[bin]);
        if (isExact || masses[bin] >= commonShare * most)
        {
            return value;
        }
    }
    return std::nullopt;
}

/// A FIFO delivers nothing faster than its rate. What delivers packets in bursts does.
bool
IsFastest(const std::vector<double>& spacings, double spacing)
{
    const auto faster = std::lower_bound(spacings.begin(), spacings.end(), spacing - fasterReach) -
                        spacings.begin();
    return static_cast<double>(faster) <= fasterShare * static_cast<double>(spacings.size());
}

} // namespace

std::optional<BitRate>
RateByDispersion(const PacketTrace& trace, BitRate leastRate)
{
    double bytes = 0;
    for (const TracedPacket& packet : trace.packets)
    {
        bytes += static_cast<double>(packet.size.Count());
    }
    const double bytesPerSecond = static_cast<double>(leastRate.ToBitsPerSecond()) / 8;
    const double packetNs =
        1e9 * bytes / static_cast<double>(trace.packets.size()) / bytesPerSecond;
    const double shortest =
        std::ceil(ticksPerTrain * static_cast<double>(TickOf(trace)) / packetNs);
    const double slowest = -std::log(bytesPerSecond) + 2 * binWidth;
    if (shortest > longestTrain)
    {
        return std::nullopt;
    }
    const std::vector<double> spacings =
        SpacingsOf(trace, static_cast<std::size_t>(shortest), LeastDelay(trace));
    if (spacings.size() < fewestSpacings)
    {
        return std::nullopt;
    }
    const double exactNs = exactWidth * shortest * packetNs; // of a train at the least rate
    const double finest = slowest + std::log(static_cast<double>(TickOf(trace)) / exactNs);
    const auto spacing = LeastCommon(spacings, slowest - std::log(largestFactor), slowest, finest);
    if (!spacing || !IsFastest(spacings, *spacing))
    {
        return std::nullopt;
    }
    return std::max(leastRate, BitRate::BitsPerSecond(std::llround(8 * std::exp(-*spacing))));
}

} // namespace geotrain
