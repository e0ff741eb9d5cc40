// SPDX-License-Identifier: GPL-2.0-only
// Writes model files.
#include "path-learning/path-file-format.h"
#include "path-learning/path-file.h"
#include "schema/path.pb.h"

#include <algorithm>
#include <cmath>

namespace geotrain
{

namespace
{

path::Direction
Written(const PathParameters& path)
{
    path::Direction direction;
    direction.set_rate_bps(path.rate.ToBitsPerSecond());
    direction.set_propagation_ns(path.propagation.ToNanoseconds());
    direction.set_buffer_bytes(path.buffer.Count());
    direction.set_loss(path.lossShare);
    if (!path.crossTraffic.bitsPerSecond.empty())
    {
        direction.set_bin_ns(path.crossTraffic.bin.ToNanoseconds());
        direction.set_cross_yields(path.crossTraffic.yields);
        for (const double value : path.crossTraffic.bitsPerSecond)
        {
            direction.add_cross_bps(value);
        }
    }
    return direction;
}

std::uint32_t
UnitsOf(double share)
{
    return static_cast<std::uint32_t>(std::lround(share / recordedShareUnit));
}

void
WriteRecorded(const std::vector<std::optional<double>>& shares, path::WindowNetwork& written)
{
    bool isKnown = false;
    std::uint32_t run = 0;
    for (const std::optional<double>& share : shares)
    {
        if (share.has_value() != isKnown)
        {
            written.add_recorded_run(run);
            run = 0;
            isKnown = !isKnown;
        }
        ++run;
        if (share)
        {
            written.add_recorded_share(UnitsOf(*share));
        }
    }
    if (run > 0)
    {
        written.add_recorded_run(run);
    }
}

path::WindowNetwork
Written(const WindowNetwork& network)
{
    path::WindowNetwork written;
    const auto fill = [](const std::vector<double>& values, auto& field)
    { field.Assign(values.begin(), values.end()); };
    written.set_window_ns(network.window.ToNanoseconds());
    written.set_hidden(static_cast<std::uint32_t>(network.hidden));
    fill(network.inputWeights, *written.mutable_input_weights());
    fill(network.stateWeights, *written.mutable_state_weights());
    fill(network.biases, *written.mutable_biases());
    fill(network.outputWeights, *written.mutable_output_weights());
    fill(network.outputBiases, *written.mutable_output_biases());
    fill(network.featureMeans, *written.mutable_feature_means());
    fill(network.featureDeviations, *written.mutable_feature_deviations());
    fill(network.residuals, *written.mutable_residuals());
    written.set_slots(network.slots > 1 ? static_cast<std::uint32_t>(network.slots) : 0);
    WriteRecorded(network.recordedShares, written);
    for (const double said : network.recordedSaid)
    {
        written.add_recorded_said(UnitsOf(said));
    }
    return written;
}

path::Errors
Written(const PathErrors& errors)
{
    path::Errors written;
    written.set_throughput(errors.throughput);
    written.set_delay_mean(errors.delayMean);
    written.set_delay_p95(errors.delayP95);
    written.set_loss(errors.loss);
    return written;
}

void
WriteMaking(const PathModel& model, path::Making& making)
{
    for (const std::string& input : model.inputs)
    {
        making.add_input(input);
    }
    making.set_packets(model.packets);
    making.set_seed(model.seed);
    making.mutable_training_loss()->Assign(model.trainingLosses.begin(),
                                           model.trainingLosses.end());
    making.mutable_held_out_loss()->Assign(model.heldOutLosses.begin(), model.heldOutLosses.end());
    if (model.errors)
    {
        *making.mutable_errors() = Written(*model.errors);
    }
    if (model.heldOut)
    {
        *making.mutable_held_out() = Written(model.heldOut->model);
        *making.mutable_held_out_fifo() = Written(model.heldOut->fifo);
    }
}

bool
HasDirection(const PathModel& model, bool (*isSuch)(const PathParameters&))
{
    return isSuch(model.forward) || (model.backward && isSuch(*model.backward)) ||
           std::any_of(model.members.begin(), model.members.end(), isSuch);
}

/// Returns the earliest version that can say all of a model.
std::uint32_t
VersionOf(const PathModel& model)
{
    if (HasDirection(model, [](const PathParameters& path) { return path.crossTraffic.yields; }))
    {
        return PathFileVersion::withYield;
    }
    if (HasDirection(model, [](const PathParameters& path) { return path.lossShare > 0; }))
    {
        return PathFileVersion::withLoss;
    }
    if (!model.forward.network)
    {
        return PathFileVersion::plain;
    }
    const bool isPlain =
        model.forward.network->recordedShares.empty() && model.forward.network->slots == 1;
    return isPlain ? PathFileVersion::withNetwork : PathFileVersion::withRecord;
}

} // namespace

std::string
EncodePath(const PathModel& model)
{
    path::LearnedPath content;
    content.set_model(model.model);
    *content.mutable_forward() = Written(model.forward);
    if (model.backward)
    {
        *content.mutable_backward() = Written(*model.backward);
    }
    for (const PathParameters& member : model.members)
    {
        *content.add_member() = Written(member);
    }
    if (model.forward.network)
    {
        *content.mutable_network() = Written(*model.forward.network);
    }
    WriteMaking(model, *content.mutable_making());
    path::File file;
    file.set_kind(pathFileKind);
    file.set_version(VersionOf(model));
    file.set_content(BytesOf(content));
    file.set_crc32(ChecksumOf(file.content()));
    return BytesOf(file);
}

} // namespace geotrain
