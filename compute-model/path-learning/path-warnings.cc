// SPDX-License-Identifier: GPL-2.0-only
#include "path-learning/path-warnings.h"

#include "path-learning/bottleneck-rate.h"
#include "path-learning/random-loss.h"
#include "path-learning/recorded-delays.h"
#include "units/quantity-parser.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace geotrain
{

namespace
{

// What an answer about a path bears; estimates.
constexpr double mostThroughputError = 0.25;
constexpr double mostDelayError = 0.1; // of the 95th percentile
constexpr double mostLossError = 0.02;
constexpr double mostCrossShare = 0.15; // of the rate, by connections that yield

/// Says what a path does about losses at random in its records.
std::string
FateOfRandomLosses(const TrainingSettings& settings)
{
    return settings.isPlain ? "the network says losses, these and others, by window"
                            : "the path loses as many at random";
}

void
WarnOfStalls(const std::vector<Stall>& stalls,
             const std::string& name,
             std::vector<std::string>& warnings)
{
    if (stalls.empty())
    {
        return;
    }
    const auto longest =
        std::max_element(stalls.begin(),
                         stalls.end(),
                         [](const Stall& a, const Stall& b) { return a.length < b.length; });
    warnings.push_back(fmt::format(
        "{}: {} times nothing arrived and then more than the path carries, for {:.3g} s at "
        "the longest, at {:.3f} s: stalls of the recording host, which are left out",
        name,
        stalls.size(),
        longest->length.ToSeconds(),
        (longest->at - Instant()).ToSeconds()));
}

/// Says which errors are above what an answer about a path bears; nothing where none is.
std::string
BeyondTolerance(const PathErrors& errors)
{
    std::vector<std::string> beyond;
    const auto add = [&beyond](const char* name, double error, double most, const char* unit)
    {
        if (error > most)
        {
            beyond.push_back(fmt::format(
                "{} is {:.1f} {} off ({:.0f} are tolerated)", name, 100 * error, unit, 100 * most));
        }
    };
    add("throughput", errors.throughput, mostThroughputError, "%");
    add("the 95th percentile of delay", errors.delayP95, mostDelayError, "%");
    add("loss", errors.loss, mostLossError, "points");
    return fmt::format("{}", fmt::join(beyond, ", "));
}

/// Warns of cross traffic that yields. A replayed sender does not react to it, so that its errors
/// say little.
void
WarnOfConnections(const PathModel& model, std::vector<std::string>& warnings)
{
    const PathParameters& path = model.forward;
    const double share =
        path.crossTraffic.MeanBitsPerSecond() / static_cast<double>(path.rate.ToBitsPerSecond());
    if (share >= mostCrossShare)
    {
        warnings.push_back(fmt::format(
            "{}: cross traffic, {:.0f} % of the rate, comes in bursts, as of connections that "
            "yield to others, which is a guess: the throughput of another congestion control may "
            "be more than {:.0f} % off, and the loss of one that fills the buffer, as BBR does, "
            "is 2 to 5 points too high",
            model.model,
            100 * share,
            100 * mostThroughputError));
    }
}

/// Warns of errors over the records above what an answer about a path bears. Those over the other half of
/// a record are no such sign: one half may show neither the buffer nor the cross traffic of the other.
void
WarnOfTolerance(const PathModel& model,
                const PathErrors& errors,
                std::vector<std::string>& warnings)
{
    const std::string beyond = BeyondTolerance(errors);
    if (!beyond.empty())
    {
        warnings.push_back(fmt::format("{} over its own records: {}", model.model, beyond));
    }
}

} // namespace

void
WarnOfRecord(const PacketTrace& record,
             const PathParameters& estimated,
             const TrainingSettings& settings,
             std::vector<std::string>& warnings)
{
    const std::string& name = record.name;
    PacketTrace mended = record;
    WarnOfStalls(RemoveStalls(mended, estimated.rate), name, warnings);
    const RandomLoss random = RandomLossOf(mended);
    if (!ShowsRate(record))
    {
        warnings.push_back(
            fmt::format("{}: its packets hardly waited for one another, so that the rate, {}, is "
                        "only what keeps them from waiting: the path may be faster",
                        name,
                        Format(estimated.rate)));
    }
    else if (!ShowsPropagation(mended, BusyRate(mended)))
    {
        warnings.push_back(fmt::format(
            "{}: the buffer was never seen empty, so that the propagation is unknown: {} at most",
            name,
            Format(estimated.propagation)));
    }
    if (random.share > 0)
    {
        warnings.push_back(fmt::format(
            "{}: {:.2g} % of the packets were lost while there was room in the buffer: {}",
            name,
            100 * random.share,
            FateOfRandomLosses(settings)));
    }
    const auto& packets = random.trace.packets;
    if (std::all_of(packets.begin(),
                    packets.end(),
                    [](const TracedPacket& packet) { return packet.delay.has_value(); }))
    {
        warnings.push_back(name + ": the buffer dropped nothing, so that nothing tells how "
                                  "large it is: a minute of the rate");
    }
}

void
WarnOfErrors(const PathModel& model, std::vector<std::string>& warnings)
{
    const auto& heldOut = model.heldOut;
    if (model.forward.crossTraffic.yields)
    {
        WarnOfConnections(model, warnings);
    }
    else if (model.errors)
    {
        WarnOfTolerance(model, *model.errors, warnings);
    }
    if (heldOut && model.model != "fifo" && heldOut->IsWorse())
    {
        warnings.push_back(fmt::format("{} is worse than a plain FIFO (--model fifo) "
                                       "on held-out halves of the records: the "
                                       "95th percentile of delay is {:.1f} % off beside "
                                       "{:.1f} %, loss {:.1f} points beside {:.1f}",
                                       model.model,
                                       100 * heldOut->model.delayP95,
                                       100 * heldOut->fifo.delayP95,
                                       100 * heldOut->model.loss,
                                       100 * heldOut->fifo.loss));
    }
}

} // namespace geotrain
