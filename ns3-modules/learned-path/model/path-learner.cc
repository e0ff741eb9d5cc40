// SPDX-License-Identifier: GPL-2.0-only
#include "learned-path/model/path-learner.h"

#include "learned-path/model/ibox-estimate.h"
#include "learned-path/model/path-file.h"
#include "learned-path/model/trace-readers.h"
#include "units/config-error.h"
#include "units/quantity-parser.h"

#include <filesystem>
#include <fmt/format.h>

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

void
WarnOf(const std::vector<LearnerInput>& inputs, LearnedFiles& learned)
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
        std::size_t lost = 0;
        for (const TracedPacket& packet : input.packets.packets)
        {
            lost += packet.delay ? 0 : 1;
        }
        if (lost == 0 && !input.packets.packets.empty())
        {
            learned.warnings.push_back(input.packets.name +
                                       ": nothing was lost, so that nothing tells how large the "
                                       "buffer is: ten times what was seen, or a second");
        }
    }
}

} // namespace

LearnedFiles
LearnIBox(const std::vector<std::string>& files, std::uint64_t seed)
{
    LearnedFiles learned;
    PathModel& model = learned.model;
    std::vector<LearnerInput> inputs;
    for (const std::string& file : files)
    {
        inputs.push_back(ReadInput(file));
        model.inputs.push_back(std::filesystem::path(file).filename().string());
        model.members.push_back(inputs.back().profile.forward);
        model.packets += inputs.back().packets.packets.size();
    }
    model.model = "ibox";
    model.seed = seed;
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
    WarnOf(inputs, learned);
    return learned;
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
