// SPDX-License-Identifier: GPL-2.0-only
#include "path-learning/path-model.h"

#include "path-learning/learned-passage.h"
#include "units/random-stream.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <stdexcept>

namespace geotrain
{

namespace
{

constexpr double leastGain = 1e-3; // of HeldOutErrors: less is the rounding of equal paths

/// TraceSummary is what the errors compare.
struct TraceSummary
{
    double throughput = 0; ///< bytes/s
    double delayMean = 0;  ///< s
    double delayP95 = 0;   ///< s
    double lossShare = 0;
};

/// Summarises `packets`, whose delays are `delayOf` their indices.
TraceSummary
Summarise(const std::vector<TracedPacket>& packets,
          const std::function<std::optional<Duration>(std::size_t)>& delayOf)
{
    TraceSummary summary;
    std::vector<double> delays;
    double bytes = 0;
    Instant last;
    for (std::size_t i = 0; i < packets.size(); ++i)
    {
        if (const std::optional<Duration> delay = delayOf(i))
        {
            delays.push_back(delay->ToSeconds());
            summary.delayMean += delays.back();
            bytes += static_cast<double>(packets[i].size.Count());
            last = std::max(last, packets[i].sent + *delay);
        }
    }
    const auto count = static_cast<double>(packets.size());
    summary.lossShare = 1 - static_cast<double>(delays.size()) / count;
    if (!delays.empty())
    {
        summary.delayMean /= static_cast<double>(delays.size());
        const std::size_t rank = (delays.size() * 95 + 99) / 100 - 1;
        std::nth_element(
            delays.begin(), delays.begin() + static_cast<std::ptrdiff_t>(rank), delays.end());
        summary.delayP95 = delays[rank];
        const double seconds = (last - packets.front().sent).ToSeconds();
        summary.throughput = seconds > 0 ? bytes / seconds : 0;
    }
    return summary;
}

double
RelativeError(double predicted, double measured)
{
    return measured > 0 ? std::abs(predicted - measured) / measured : std::abs(predicted);
}

double
RateOf(const PathParameters& path)
{
    return static_cast<double>(path.rate.ToBitsPerSecond());
}

double
PropagationOf(const PathParameters& path)
{
    return std::max(path.propagation.ToSeconds(), 1e-9);
}

double
EmptyingTimeOf(const PathParameters& path)
{
    return 8 * static_cast<double>(path.buffer.Count()) / RateOf(path);
}

using PathFact = double (*)(const PathParameters&);

std::vector<double>
FactsOf(const std::vector<PathParameters>& members, PathFact fact)
{
    std::vector<double> facts;
    std::transform(members.begin(), members.end(), std::back_inserter(facts), fact);
    std::sort(facts.begin(), facts.end());
    return facts;
}

double
MedianOf(const std::vector<PathParameters>& members, PathFact fact)
{
    const std::vector<double> facts = FactsOf(members, fact);
    return facts[facts.size() / 2];
}

PathParameters
PathOf(double rate, double propagation, double emptyingTime)
{
    PathParameters path;
    path.rate = BitRate::BitsPerSecond(std::llround(rate));
    path.propagation = Duration::Nanoseconds(std::llround(propagation * 1e9));
    path.buffer = Bytes::Of(std::llround(std::clamp(emptyingTime * rate / 8, 1.0, 1e12)));
    return path;
}

/// Appends `added` at `series`' width of bins, times `factor`.
void
Append(CrossTrafficSeries& series, const CrossTrafficSeries& added, double factor)
{
    if (added.bitsPerSecond.empty())
    {
        return;
    }
    if (series.bin == Duration())
    {
        series.bin = added.bin;
    }
    series.yields = series.yields || added.yields;
    const std::int64_t from = added.bin.ToNanoseconds();
    const std::int64_t to = series.bin.ToNanoseconds();
    const auto length = static_cast<std::int64_t>(added.bitsPerSecond.size()) * from;
    for (std::int64_t at = to / 2; at < length; at += to)
    {
        series.bitsPerSecond.push_back(factor *
                                       added.bitsPerSecond[static_cast<std::size_t>(at / from)]);
    }
}

/// Draws a value like those of the members: log-normal, within their range.
double
DrawFact(const std::vector<PathParameters>& members, PathFact fact, double normal)
{
    const std::vector<double> facts = FactsOf(members, fact);
    double mean = 0;
    double square = 0;
    for (const double value : facts)
    {
        mean += std::log(value);
        square += std::log(value) * std::log(value);
    }
    const auto count = static_cast<double>(facts.size());
    mean /= count;
    const double deviation = std::sqrt(std::max(0.0, (square - count * mean * mean) / (count - 1)));
    return std::clamp(std::exp(mean + deviation * normal), facts.front(), facts.back());
}

PathParameters
DrawPath(const std::vector<PathParameters>& members, RandomStream& stream)
{
    const double rate = DrawFact(members, RateOf, stream.Normal());
    const double propagation = DrawFact(members, PropagationOf, stream.Normal());
    const double emptyingTime = DrawFact(members, EmptyingTimeOf, stream.Normal());
    PathParameters path = PathOf(rate, propagation, emptyingTime);
    const auto drawn =
        static_cast<std::size_t>(stream.Uniform() * static_cast<double>(members.size()));
    const PathParameters& member = members[std::min(drawn, members.size() - 1)];
    path.lossShare = member.lossShare;
    Append(path.crossTraffic, member.crossTraffic, rate / RateOf(member));
    return path;
}

double
ScoreOf(const PathErrors& errors)
{
    return errors.delayP95 + 5 * errors.loss;
}

} // namespace

bool
HeldOutErrors::IsBetter() const
{
    return ScoreOf(model) < ScoreOf(fifo) - leastGain;
}

bool
HeldOutErrors::IsWorse() const
{
    constexpr double tolerated = 0.1; // 10 % of delay, or 2 points of loss
    return ScoreOf(model) > ScoreOf(fifo) + tolerated;
}

LearnedLink
LinkOf(const PathModel& model)
{
    LearnedLink link{model.forward, model.backward.value_or(model.forward)};
    if (!model.backward)
    {
        link.backward.crossTraffic = {};
        link.backward.lossShare = 0;
        link.backward.network = nullptr;
    }
    return link;
}

double
SpreadOf(const std::vector<PathParameters>& members)
{
    const std::vector<double> rates = FactsOf(members, RateOf);
    return rates.back() / rates.front() - 1;
}

PathParameters
Combine(const std::vector<PathParameters>& members)
{
    PathParameters path;
    if (SpreadOf(members) <= samePathSpread)
    {
        path = members.front();
        path.crossTraffic = {};
        for (const PathParameters& member : members)
        {
            path.rate = std::max(path.rate, member.rate);
            path.propagation = std::min(path.propagation, member.propagation);
            path.buffer = std::max(path.buffer, member.buffer);
        }
    }
    else
    {
        path = PathOf(MedianOf(members, RateOf),
                      MedianOf(members, PropagationOf),
                      MedianOf(members, EmptyingTimeOf));
    }
    path.lossShare = 0;
    for (const PathParameters& member : members)
    {
        path.lossShare += member.lossShare / static_cast<double>(members.size());
        Append(path.crossTraffic, member.crossTraffic, 1);
    }
    return path;
}

std::vector<PathModel>
DrawLike(const PathModel& model, std::size_t count, std::uint64_t seed)
{
    if (model.members.size() < 2)
    {
        throw std::invalid_argument("was learned from one record: a family needs at least two");
    }
    RandomStream stream(seed, "learned-path", "family");
    std::vector<PathModel> drawn;
    for (std::size_t i = 0; i < count; ++i)
    {
        PathModel path = model;
        path.forward = DrawPath(model.members, stream);
        path.forward.network = model.forward.network;
        path.members.clear();
        path.errors.reset();
        path.heldOut.reset();
        path.seed = seed;
        drawn.push_back(path);
    }
    return drawn;
}

namespace
{

/// Returns what the trace's first packet found in the buffer: a log may begin in the middle of a
/// flow.
Bytes
FoundByFirst(const PathParameters& path, const TracedPacket& first)
{
    const Duration stay = first.delay.value_or(Duration()) - path.propagation;
    const Bytes found = path.rate.In(std::max(stay, Duration())) - first.size;
    return std::clamp(found, Bytes(), std::max(Bytes(), path.buffer - first.size));
}

} // namespace

std::vector<std::optional<Duration>>
PredictDelays(const PathParameters& path, const PacketTrace& trace)
{
    LearnedPassage passage(path, 1, "errors");
    std::vector<std::optional<Duration>> predicted;
    const Bytes found = FoundByFirst(path, trace.packets.front());
    if (found > Bytes())
    {
        const Instant first = trace.packets.front().sent;
        if (passage.Offer(first, found))
        {
            passage.DrawLoss();
        }
    }
    for (const TracedPacket& packet : trace.packets)
    {
        const std::optional<Duration> stay = passage.Offer(packet.sent, packet.size);
        const bool arrives = stay && !passage.DrawLoss();
        predicted.push_back(arrives ? std::optional(*stay + path.propagation) : std::nullopt);
    }
    return predicted;
}

PathErrors
ErrorsOn(const PathParameters& path, const PacketTrace& trace)
{
    const auto predicted = PredictDelays(path, trace);
    const TraceSummary model =
        Summarise(trace.packets, [&](std::size_t i) { return predicted[i]; });
    const TraceSummary truth =
        Summarise(trace.packets, [&](std::size_t i) { return trace.packets[i].delay; });
    PathErrors errors;
    errors.throughput = RelativeError(model.throughput, truth.throughput);
    errors.delayMean = RelativeError(model.delayMean, truth.delayMean);
    errors.delayP95 = RelativeError(model.delayP95, truth.delayP95);
    errors.loss = std::abs(model.lossShare - truth.lossShare);
    return errors;
}

} // namespace geotrain
