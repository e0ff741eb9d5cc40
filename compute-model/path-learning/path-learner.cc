// SPDX-License-Identifier: GPL-2.0-only
#include "path-learning/path-learner.h"

#include "path-learning/ibox-estimate.h"
#include "path-learning/lane-split.h"
#include "path-learning/path-file.h"
#include "path-learning/random-loss.h"
#include "path-learning/rate-by-dispersion.h"
#include "path-learning/trace-readers.h"
#include "units/config-error.h"
#include "units/quantity-parser.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
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

/// A LearnerInput is one file.
struct LearnerInput
{
    PathModel profile;   ///< where the file is one
    PacketTrace packets; ///< empty for a profile
};

LearnerInput
ReadInput(const std::string& file)
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
        input.profile.forward = EstimatePath(input.packets);
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
WarnOfPackets(const LearnerInput& input, const TrainingSettings& settings, LearnedFiles& learned)
{
    const std::string& name = input.packets.name;
    const RandomLoss random = RandomLossOf(input.packets);
    if (!ShowsRate(input.packets))
    {
        learned.warnings.push_back(
            fmt::format("{}: its packets hardly waited for one another, so that the rate, {}, is "
                        "only what keeps them from waiting: the path may be faster",
                        name,
                        Format(input.profile.forward.rate)));
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
                                          "large it is: ten times what was seen, or a second");
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
ReadInputs(const std::vector<std::string>& files)
{
    std::vector<LearnerInput> inputs;
    std::transform(files.begin(), files.end(), std::back_inserter(inputs), ReadInput);
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

LearnedFiles
LearnIBox(const std::vector<std::string>& files, std::uint64_t seed)
{
    TrainingSettings settings;
    settings.seed = seed;
    return Learn(files, ReadInputs(files), settings);
}

PathParameters
EstimateForTraining(const PacketTrace& trace)
{
    const PathParameters path = EstimatePath(trace);
    const auto rate = RateByDispersion(trace, path.rate);
    return rate ? EstimatePath(trace, *rate) : path;
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
        estimated.push_back(EstimateForTraining(PacketsOf(trace, laneOf, k)));
    }
    return estimated;
}

/// Returns the lanes of one path for those of several records. Throws ConfigError where these are of
/// different paths.
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
    std::vector<LearnerInput> inputs = ReadInputs(files);
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
        members.push_back(EstimateForTraining(trace));
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
