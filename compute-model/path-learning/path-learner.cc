// SPDX-License-Identifier: GPL-2.0-only
#include "path-learning/path-learner.h"

#include "path-learning/bottleneck-rate.h"
#include "path-learning/ibox-estimate.h"
#include "path-learning/lane-split.h"
#include "path-learning/path-file.h"
#include "path-learning/random-loss.h"
#include "path-learning/trace-readers.h"
#include "units/config-error.h"
#include "units/quantity-parser.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>

namespace geotrain
{

namespace
{

bool
IsJson(const std::string& text)
{
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return first != std::string::npos && text[first] == '{';
}

const Duration longestPropagation = Duration::Milliseconds(10000); // of a link of a scenario

// What an answer about a path bears; estimates.
constexpr double mostThroughputError = 0.25;
constexpr double mostDelayError = 0.1; // of the 95th percentile
constexpr double mostLossError = 0.02;
constexpr double mostCrossShare = 0.15; // of the rate, by connections that yield

/// A LearnerInput is one file.
struct LearnerInput
{
    PathModel profile;   ///< where the file is one
    PacketTrace packets; ///< empty for a profile
};

using Estimate = PathParameters (*)(const PacketTrace& trace);

LearnerInput
ReadInput(const std::string& file, Estimate estimate)
{
    LearnerInput input;
    const std::string text = ReadMaybeGzipped(file);
    if (IsJson(text))
    {
        input.profile = ParseIBoxProfile(file, text);
    }
    else
    {
        input.packets = ParsePacketTrace(file, text);
        input.profile.forward = estimate(input.packets);
        if (input.profile.forward.propagation > longestPropagation)
        {
            throw ConfigError(file,
                              "",
                              Format(input.profile.forward.propagation),
                              "is the least delay: above 10 s the clocks of the two ends differ");
        }
    }
    return input;
}

/// Says what a path does about losses at random in its records.
std::string
FateOfRandomLosses(const TrainingSettings& settings)
{
    if (settings.isPlain)
    {
        return "the network says losses, these and others, by window";
    }
    return settings.lanes > 1 ? "parallel paths lose none at random: only what overflows a buffer"
                              : "the path loses as many at random";
}

void
WarnOfStalls(const std::vector<Stall>& stalls, const std::string& name, LearnedFiles& learned)
{
    if (stalls.empty())
    {
        return;
    }
    const auto longest =
        std::max_element(stalls.begin(),
                         stalls.end(),
                         [](const Stall& a, const Stall& b) { return a.length < b.length; });
    learned.warnings.push_back(fmt::format(
        "{}: {} times nothing arrived and then more than the path carries, for {:.3g} s at "
        "the longest, at {:.3f} s: stalls of the recording host, which are left out",
        name,
        stalls.size(),
        longest->length.ToSeconds(),
        (longest->at - Instant()).ToSeconds()));
}

void
WarnOfPackets(const LearnerInput& input, const TrainingSettings& settings, LearnedFiles& learned)
{
    const std::string& name = input.packets.name;
    PacketTrace mended = input.packets;
    WarnOfStalls(RemoveStalls(mended, input.profile.forward.rate), name, learned);
    const RandomLoss random = RandomLossOf(mended);
    if (!ShowsRate(input.packets))
    {
        learned.warnings.push_back(
            fmt::format("{}: its packets hardly waited for one another, so that the rate, {}, is "
                        "only what keeps them from waiting: the path may be faster",
                        name,
                        Format(input.profile.forward.rate)));
    }
    else if (!ShowsPropagation(mended, BusyRate(mended)))
    {
        learned.warnings.push_back(fmt::format(
            "{}: the buffer was never seen empty, so that the propagation is unknown: {} at most",
            name,
            Format(input.profile.forward.propagation)));
    }
    if (random.share > 0)
    {
        learned.warnings.push_back(fmt::format(
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
        learned.warnings.push_back(name + ": the buffer dropped nothing, so that nothing tells how "
                                          "large it is: a minute of the rate");
    }
}

void
WarnOf(const std::vector<LearnerInput>& inputs,
       const TrainingSettings& settings,
       LearnedFiles& learned)
{
    const double spread = SpreadOf(learned.model.members);
    if (spread > samePathSpread)
    {
        learned.warnings.push_back(fmt::format(
            "the inputs seem to be of different paths: the largest rate is {:.0f} % above the "
            "smallest; the path has their medians",
            spread * 100));
    }
    for (const LearnerInput& input : inputs)
    {
        if (!input.packets.packets.empty())
        {
            WarnOfPackets(input, settings, learned);
        }
    }
}

std::vector<LearnerInput>
ReadInputs(const std::vector<std::string>& files, Estimate estimate)
{
    std::vector<LearnerInput> inputs;
    std::transform(files.begin(),
                   files.end(),
                   std::back_inserter(inputs),
                   [estimate](const std::string& file) { return ReadInput(file, estimate); });
    return inputs;
}

LearnedFiles
Learn(const std::vector<std::string>& files,
      const std::vector<LearnerInput>& inputs,
      const TrainingSettings& settings)
{
    LearnedFiles learned;
    PathModel& model = learned.model;
    for (std::size_t i = 0; i < files.size(); ++i)
    {
        model.inputs.push_back(std::filesystem::path(files[i]).filename().string());
        model.members.push_back(inputs[i].profile.forward);
        model.packets += inputs[i].packets.packets.size();
    }
    model.model = "ibox";
    model.seed = settings.seed;
    model.forward = Combine(model.members);
    model.backward = inputs.front().profile.backward;
    std::vector<PathErrors> errors;
    for (std::size_t i = 0; i < inputs.size(); ++i)
    {
        if (!inputs[i].packets.packets.empty())
        {
            PathParameters path = model.forward;
            path.crossTraffic = model.members[i].crossTraffic;
            errors.push_back(ErrorsOn(path, inputs[i].packets));
        }
    }
    if (!errors.empty())
    {
        model.errors = MeanOf(errors);
    }
    WarnOf(inputs, settings, learned);
    return learned;
}

} // namespace

namespace
{

LearnedFiles
LearnEstimate(const std::vector<std::string>& files, std::uint64_t seed, Estimate estimate)
{
    TrainingSettings settings;
    settings.seed = seed;
    const std::vector<LearnerInput> inputs = ReadInputs(files, estimate);
    LearnedFiles learned = Learn(files, inputs, settings);
    std::vector<PacketTrace> traces;
    for (const LearnerInput& input : inputs)
    {
        if (!input.packets.packets.empty())
        {
            traces.push_back(input.packets);
        }
    }
    learned.model.heldOut = HeldOutErrorsOf(traces, estimate);
    return learned;
}

} // namespace

LearnedFiles
LearnIBox(const std::vector<std::string>& files, std::uint64_t seed)
{
    LearnedFiles learned = LearnEstimate(files, seed, EstimatePath);
    WarnOfErrors(learned);
    return learned;
}

LearnedFiles
LearnFifo(const std::vector<std::string>& files, std::uint64_t seed)
{
    LearnedFiles learned = LearnEstimate(files, seed, EstimateFifo);
    learned.model.model = "fifo";
    learned.model.forward.crossTraffic = {}; // of profiles
    WarnOfErrors(learned);
    return learned;
}

std::optional<HeldOutErrors>
HeldOutErrorsOf(const std::vector<PacketTrace>& traces,
                const std::function<PathParameters(const PacketTrace&)>& learn)
{
    std::vector<PathErrors> model;
    std::vector<PathErrors> fifo;
    for (const PacketTrace& trace : traces)
    {
        for (const bool isOfSecond : {false, true})
        {
            PacketTrace half, other;
            try
            {
                half = HalfOf(trace, isOfSecond);
                other = HalfOf(trace, !isOfSecond);
            }
            catch (const ConfigError&) // nothing arrived of one
            {
                return std::nullopt;
            }
            model.push_back(ErrorsOn(learn(half), other));
            fifo.push_back(ErrorsOn(EstimateFifo(half), other));
        }
    }
    if (model.empty())
    {
        return std::nullopt;
    }
    return HeldOutErrors{MeanOf(model), MeanOf(fifo)};
}

namespace
{

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
WarnOfConnections(LearnedFiles& learned)
{
    const PathParameters& path = learned.model.forward;
    const double share =
        path.crossTraffic.MeanBitsPerSecond() / static_cast<double>(path.rate.ToBitsPerSecond());
    if (share >= mostCrossShare)
    {
        learned.warnings.push_back(fmt::format(
            "{}: cross traffic, {:.0f} % of the rate, comes in bursts, as of connections that "
            "yield to others, which is a guess: the throughput of another congestion control may "
            "be more than {:.0f} % off, and the loss of one that fills the buffer, as BBR does, "
            "is 2 to 5 points too high",
            learned.model.model,
            100 * share,
            100 * mostThroughputError));
    }
}

/// Warns of errors above what an answer about a path bears.
void
WarnOfTolerance(LearnedFiles& learned, const char* where, const PathErrors& errors)
{
    const std::string beyond = BeyondTolerance(errors);
    if (!beyond.empty())
    {
        learned.warnings.push_back(fmt::format("{} {}: {}", learned.model.model, where, beyond));
    }
}

} // namespace

void
WarnOfErrors(LearnedFiles& learned)
{
    const PathModel& model = learned.model;
    const auto& heldOut = model.heldOut;
    if (model.forward.crossTraffic.yields)
    {
        WarnOfConnections(learned);
    }
    else
    {
        if (model.errors)
        {
            WarnOfTolerance(learned, "over its own records", *model.errors);
        }
        if (heldOut)
        {
            WarnOfTolerance(learned, "from one half of a record to the other", heldOut->model);
        }
    }
    if (heldOut && model.model != "fifo" && !heldOut->IsBetter())
    {
        learned.warnings.push_back(fmt::format("{} is not better than a plain FIFO (--model fifo) "
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

namespace
{

/// Estimates the lanes of a record, in the order of their propagation.
std::vector<PathLane>
EstimateLanes(const PacketTrace& trace, std::size_t lanes)
{
    const std::vector<std::size_t> laneOf = SplitLanes(trace, lanes);
    std::vector<PathLane> estimated;
    for (std::size_t k = 0; k < lanes; ++k)
    {
        estimated.push_back(EstimatePath(PacketsOf(trace, laneOf, k)));
    }
    return estimated;
}

/// Returns the lanes of one path for those of several records. Throws ConfigError where these are
/// of different paths.
std::vector<PathLane>
CombineLanes(const std::vector<PathParameters>& members)
{
    if (SpreadOf(members) > samePathSpread)
    {
        throw ConfigError(
            "--parallel-paths", "", "", "takes records of one path: the rates of these differ");
    }
    std::vector<PathLane> lanes;
    for (std::size_t k = 0; k < members.front().lanes.size(); ++k)
    {
        PathLane lane = members.front().lanes[k];
        for (const PathParameters& member : members)
        {
            lane.rate = std::max(lane.rate, member.lanes[k].rate);
            lane.propagation = std::min(lane.propagation, member.lanes[k].propagation);
            lane.buffer = std::max(lane.buffer, member.lanes[k].buffer);
        }
        lanes.push_back(lane);
    }
    return lanes;
}

} // namespace

TrainingInputs
ReadForTraining(const std::vector<std::string>& files, const TrainingSettings& settings)
{
    std::vector<LearnerInput> inputs = ReadInputs(files, EstimatePath);
    TrainingInputs training;
    std::vector<PathParameters> members;
    for (std::size_t i = 0; i < inputs.size(); ++i)
    {
        const PacketTrace& trace = inputs[i].packets;
        if (trace.packets.empty())
        {
            throw ConfigError(
                files[i], "", "", "is an iBoxNet profile; a network is trained on packet records");
        }
        members.push_back(inputs[i].profile.forward);
        if (settings.lanes > 1)
        {
            SetLanes(members.back(), EstimateLanes(trace, settings.lanes));
            members.back().lossShare = 0;
        }
        inputs[i].profile.forward = members.back();
        inputs[i].profile.forward.lanes.clear();
        training.traces.push_back(trace);
    }
    training.learned = Learn(files, inputs, settings);
    if (settings.lanes > 1)
    {
        training.learned.model.members = members;
        SetLanes(training.learned.model.forward, CombineLanes(members));
    }
    return training;
}

PathErrors
ErrorsOnInputs(const PathModel& model, const std::vector<PacketTrace>& traces)
{
    const bool isOnePath = SpreadOf(model.members) <= samePathSpread;
    std::vector<PathErrors> errors;
    for (std::size_t i = 0; i < traces.size(); ++i)
    {
        PathParameters path = isOnePath ? model.forward : model.members[i];
        path.network = model.forward.network;
        if (model.forward.crossTraffic.yields)
        {
            path.crossTraffic = model.members[i].crossTraffic;
        }
        errors.push_back(ErrorsOn(path, traces[i]));
    }
    return MeanOf(errors);
}

PathErrors
MeanOf(const std::vector<PathErrors>& errors)
{
    PathErrors mean;
    const auto count = static_cast<double>(errors.size());
    for (const PathErrors& one : errors)
    {
        mean.throughput += one.throughput / count;
        mean.delayMean += one.delayMean / count;
        mean.delayP95 += one.delayP95 / count;
        mean.loss += one.loss / count;
    }
    return mean;
}

} // namespace geotrain
