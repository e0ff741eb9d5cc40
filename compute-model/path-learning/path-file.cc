// SPDX-License-Identifier: GPL-2.0-only
#include "path-learning/path-file.h"

#include "path-learning/network-message.h"
#include "path-learning/trace-readers.h"
#include "schema/path.pb.h"
#include "units/config-error.h"

#include <algorithm>
#include <cmath>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <zlib.h>

namespace geotrain
{

namespace
{

constexpr const char* fileKind = "geotrain learned path";
constexpr std::uint32_t versionWithNetwork = 2;
constexpr std::uint32_t versionWithRecord = 3; // recorded shares, slots, or lanes
constexpr std::uint32_t versionWithLoss = 4;
constexpr std::uint32_t latestVersion = versionWithLoss;
constexpr double largestRate = 1e14;               // 100 Tbit/s, as the greatest rate of a link
constexpr std::int64_t longestDelay = 10000000000; // 10 s, as the longest delay of a link
constexpr std::int64_t largestBuffer = 1000000000000;
constexpr std::int64_t shortestBin = 1000;         // 1 us
constexpr std::int64_t longestBin = 3600000000000; // 1 h
constexpr int mostBins = 10000000;
constexpr int mostLanes = 8;

std::uint32_t
ChecksumOf(const std::string& bytes)
{
    return static_cast<std::uint32_t>(
        crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
}

/// Serialises in the order of field numbers.
std::string
BytesOf(const google::protobuf::Message& message)
{
    std::string bytes;
    {
        google::protobuf::io::StringOutputStream out(&bytes);
        google::protobuf::io::CodedOutputStream coded(&out);
        coded.SetSerializationDeterministic(true);
        message.SerializeToCodedStream(&coded);
    }
    return bytes;
}

path::Direction
WrittenLane(const PathLane& lane)
{
    path::Direction direction;
    direction.set_rate_bps(lane.rate.ToBitsPerSecond());
    direction.set_propagation_ns(lane.propagation.ToNanoseconds());
    direction.set_buffer_bytes(lane.buffer.Count());
    return direction;
}

path::Direction
Written(const PathParameters& path)
{
    path::Direction direction = WrittenLane(path);
    direction.set_loss(path.lossShare);
    if (!path.crossTraffic.bitsPerSecond.empty())
    {
        direction.set_bin_ns(path.crossTraffic.bin.ToNanoseconds());
        for (const double value : path.crossTraffic.bitsPerSecond)
        {
            direction.add_cross_bps(value);
        }
    }
    return direction;
}

/// DirectionReader checks the directions of one file.
class DirectionReader
{
  public:
    explicit DirectionReader(const std::string& file)
        : m_file(file)
    {
    }

    PathParameters Read(const std::string& field, const path::Direction& written) const
    {
        Check(field + ".rate_bps",
              static_cast<double>(written.rate_bps()),
              1,
              static_cast<std::int64_t>(largestRate));
        Check(field + ".propagation_ns",
              static_cast<double>(written.propagation_ns()),
              0,
              longestDelay);
        Check(
            field + ".buffer_bytes", static_cast<double>(written.buffer_bytes()), 1, largestBuffer);
        PathParameters path;
        path.rate = BitRate::BitsPerSecond(written.rate_bps());
        path.propagation = Duration::Nanoseconds(written.propagation_ns());
        path.buffer = Bytes::Of(written.buffer_bytes());
        if (!(written.loss() >= 0 && written.loss() < 1))
        {
            throw ConfigError(m_file,
                              field + ".loss",
                              std::to_string(written.loss()),
                              "must be at least 0 and below 1");
        }
        path.lossShare = written.loss();
        ReadCrossTraffic(field, written, path.crossTraffic);
        return path;
    }

  private:
    void Check(const std::string& field, double value, std::int64_t least, std::int64_t most) const
    {
        if (!(value >= static_cast<double>(least) && value <= static_cast<double>(most)))
        {
            throw ConfigError(m_file,
                              field,
                              std::to_string(value),
                              "must be " + std::to_string(least) + " to " + std::to_string(most));
        }
    }

    void ReadCrossTraffic(const std::string& field,
                          const path::Direction& written,
                          CrossTrafficSeries& series) const
    {
        if (written.cross_bps_size() == 0)
        {
            return;
        }
        Check(field + ".cross_bps: number of bins", written.cross_bps_size(), 0, mostBins);
        Check(field + ".bin_ns", static_cast<double>(written.bin_ns()), shortestBin, longestBin);
        series.bin = Duration::Nanoseconds(written.bin_ns());
        for (const double value : written.cross_bps())
        {
            Check(field + ".cross_bps", value, 0, static_cast<std::int64_t>(largestRate));
            series.bitsPerSecond.push_back(value);
        }
    }

    const std::string& m_file;
};

path::LearnedPath
ContentOf(const std::string& file, const std::string& bytes)
{
    path::File written;
    if (!written.ParseFromString(bytes) || written.kind() != fileKind)
    {
        throw ConfigError(file, "", "", "is no model file of a learned path, or is cut");
    }
    if (written.version() < 1 || written.version() > latestVersion)
    {
        throw ConfigError(file,
                          "version",
                          std::to_string(written.version()),
                          "must be 1 to " + std::to_string(latestVersion) +
                              ": another version of geotrain wrote it");
    }
    written.DiscardUnknownFields();
    if (BytesOf(written).size() != bytes.size())
    {
        throw ConfigError(file, "", "", "is damaged: it has bytes that are of no field");
    }
    path::LearnedPath content;
    if (written.crc32() != ChecksumOf(written.content()) ||
        !content.ParseFromString(written.content()))
    {
        throw ConfigError(file, "", "", "is cut or damaged: its checksum is wrong");
    }
    return content;
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
        making.mutable_errors()->set_throughput(model.errors->throughput);
        making.mutable_errors()->set_delay_mean(model.errors->delayMean);
        making.mutable_errors()->set_delay_p95(model.errors->delayP95);
        making.mutable_errors()->set_loss(model.errors->loss);
    }
}

void
ReadMaking(const path::Making& making, PathModel& model)
{
    model.inputs.assign(making.input().begin(), making.input().end());
    model.packets = making.packets();
    model.seed = making.seed();
    model.trainingLosses.assign(making.training_loss().begin(), making.training_loss().end());
    model.heldOutLosses.assign(making.held_out_loss().begin(), making.held_out_loss().end());
    if (making.has_errors())
    {
        const path::Errors& errors = making.errors();
        model.errors =
            PathErrors{errors.throughput(), errors.delay_mean(), errors.delay_p95(), errors.loss()};
    }
}

std::vector<PathLane>
ReadLanes(const std::string& file, const path::LearnedPath& content)
{
    const int count = content.lane_size();
    if (count > 0 && (count == 1 || count > mostLanes || content.model() != "rbu"))
    {
        throw ConfigError(file,
                          "lane",
                          std::to_string(count) + " of " + content.model(),
                          "must be none, or 2 to " + std::to_string(mostLanes) + " of rbu");
    }
    const DirectionReader reader(file);
    std::vector<PathLane> lanes;
    for (const path::Direction& lane : content.lane())
    {
        lanes.push_back(reader.Read("lane", lane));
    }
    return lanes;
}

bool
HasLoss(const PathModel& model)
{
    const auto isLossy = [](const PathParameters& path) { return path.lossShare > 0; };
    return isLossy(model.forward) || (model.backward && isLossy(*model.backward)) ||
           std::any_of(model.members.begin(), model.members.end(), isLossy);
}

/// Returns the earliest version that can say all of a model.
std::uint32_t
VersionOf(const PathModel& model)
{
    if (HasLoss(model))
    {
        return versionWithLoss;
    }
    if (!model.forward.network)
    {
        return 1;
    }
    const bool isPlain = model.forward.network->recordedShares.empty() &&
                         model.forward.network->slots == 1 && model.forward.lanes.empty();
    return isPlain ? versionWithNetwork : versionWithRecord;
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
    for (const PathLane& lane : model.forward.lanes)
    {
        *content.add_lane() = WrittenLane(lane);
    }
    if (model.forward.network)
    {
        WriteNetwork(*model.forward.network, *content.mutable_network());
    }
    WriteMaking(model, *content.mutable_making());
    path::File file;
    file.set_kind(fileKind);
    file.set_version(VersionOf(model));
    file.set_content(BytesOf(content));
    file.set_crc32(ChecksumOf(file.content()));
    return BytesOf(file);
}

PathModel
DecodePath(const std::string& file, const std::string& bytes)
{
    const path::LearnedPath content = ContentOf(file, bytes);
    const bool isKnown =
        content.model() == "ibox" || content.model() == "rbu" || content.model() == "lstm";
    if (!isKnown || content.has_network() == (content.model() == "ibox"))
    {
        throw ConfigError(
            file, "model", content.model(), "must be ibox, or rbu or lstm with a network");
    }
    const DirectionReader reader(file);
    PathModel model;
    model.model = content.model();
    model.forward = reader.Read("forward", content.forward());
    if (content.has_network())
    {
        const auto output = content.model() == "rbu" ? WindowNetwork::Output::CrossTraffic
                                                     : WindowNetwork::Output::DelayAndLoss;
        model.forward.lanes = ReadLanes(file, content);
        model.forward.network =
            ReadNetwork(file, content.network(), output, model.forward.Lanes().size());
    }
    if (content.has_backward())
    {
        model.backward = reader.Read("backward", content.backward());
    }
    for (const path::Direction& member : content.member())
    {
        model.members.push_back(reader.Read("member", member));
    }
    ReadMaking(content.making(), model);
    return model;
}

PathModel
ReadPathFile(const std::string& path)
{
    return DecodePath(path, ReadMaybeGzipped(path));
}

} // namespace geotrain
