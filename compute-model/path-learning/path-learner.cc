// SPDX-License-Identifier: GPL-2.0-only
#include "path-learning/path-learner.h"

#include "path-learning/bottleneck-rate.h"
#include "path-learning/ibox-estimate.h"
#include "path-learning/path-file.h"
#include "path-learning/path-warnings.h"
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
            WarnOfRecord(input.packets, input.profile.forward, settings, learned.warnings);
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
    WarnOfErrors(learned.model, learned.warnings);
    return learned;
}

LearnedFiles
LearnFifo(const std::vector<std::string>& files, std::uint64_t seed)
{
    LearnedFiles learned = LearnEstimate(files, seed, EstimateFifo);
    learned.model.model = "fifo";
    learned.model.forward.crossTraffic = {}; // of profiles
    WarnOfErrors(learned.model, learned.warnings);
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

TrainingInputs
ReadForTraining(const std::vector<std::string>& files, const TrainingSettings& settings)
{
    const std::vector<LearnerInput> inputs = ReadInputs(files, EstimatePath);
    TrainingInputs training;
    for (std::size_t i = 0; i < inputs.size(); ++i)
    {
        const PacketTrace& trace = inputs[i].packets;
        if (trace.packets.empty())
        {
            throw ConfigError(
                files[i], "", "", "is an iBoxNet profile; a network is trained on packet records");
        }
        training.traces.push_back(trace);
    }
    training.learned = Learn(files, inputs, settings);
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
