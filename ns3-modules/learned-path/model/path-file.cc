// SPDX-License-Identifier: GPL-2.0-only
#include "learned-path/model/path-file.h"

#include "learned-path/model/trace-readers.h"
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
constexpr std::int64_t shortestWindow = 10000; // 10 us
constexpr std::uint32_t mostCells = 1024;
constexpr int mostResiduals = 10000;
constexpr int mostLanes = 8;
constexpr std::uint32_t mostSlots = 1000;
constexpr double largestWeight = 1e9;
constexpr double leastDeviation = 1e-9;

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

void
WriteNetwork(const WindowNetwork& network, path::WindowNetwork& written)
{
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

/// NetworkReader checks the network of a file.
class NetworkReader
{
  public:
    NetworkReader(const std::string& file, const path::WindowNetwork& written)
        : m_file(file),
          m_written(written)
    {
    }

    std::shared_ptr<const WindowNetwork> Read(WindowNetwork::Output output, std::size_t lanes) const
    {
        WindowNetwork network;
        network.output = output;
        network.lanes = lanes;
        CheckSizes();
        network.window = Duration::Nanoseconds(m_written.window_ns());
        network.hidden = m_written.hidden();
        const std::size_t gates = 4 * network.hidden;
        const std::size_t outputs = network.Outputs();
        network.inputWeights =
            Matrix("input_weights", m_written.input_weights(), gates * network.Inputs());
        network.stateWeights =
            Matrix("state_weights", m_written.state_weights(), gates * network.hidden);
        network.biases = Matrix("biases", m_written.biases(), gates);
        network.outputWeights =
            Matrix("output_weights", m_written.output_weights(), outputs * network.hidden);
        network.outputBiases = Matrix("output_biases", m_written.output_biases(), outputs);
        network.featureMeans = Matrix("feature_means", m_written.feature_means(), network.Inputs());
        network.featureDeviations =
            Matrix("feature_deviations", m_written.feature_deviations(), network.Inputs());
        network.residuals = Matrix("residuals",
                                   m_written.residuals(),
                                   static_cast<std::size_t>(m_written.residuals_size()));
        CheckOrder(network);
        network.recordedShares = RecordedShares();
        network.slots = Slots();
        network.recordedSaid = RecordedSaid(network);
        return std::make_shared<const WindowNetwork>(std::move(network));
    }

  private:
    [[noreturn]] void
    Refuse(const std::string& field, const std::string& value, const std::string& rule) const
    {
        throw ConfigError(m_file, "network." + field, value, rule);
    }

    void CheckSizes() const
    {
        if (m_written.window_ns() < shortestWindow || m_written.window_ns() > longestBin)
        {
            Refuse("window_ns", std::to_string(m_written.window_ns()), "must be 10 us to 1 h");
        }
        if (m_written.hidden() < 1 || m_written.hidden() > mostCells)
        {
            Refuse("hidden",
                   std::to_string(m_written.hidden()),
                   "must be 1 to " + std::to_string(mostCells));
        }
        if (m_written.residuals_size() > mostResiduals)
        {
            Refuse("residuals",
                   std::to_string(m_written.residuals_size()),
                   "must be at most " + std::to_string(mostResiduals));
        }
    }

    std::size_t Slots() const
    {
        const std::uint32_t slots = std::max(1u, m_written.slots());
        if (slots > mostSlots || m_written.window_ns() % slots != 0)
        {
            Refuse("slots",
                   std::to_string(slots),
                   "must divide the window, and be at most " + std::to_string(mostSlots));
        }
        return slots;
    }

    std::vector<std::optional<double>> RecordedShares() const
    {
        std::vector<std::optional<double>> shares;
        const auto& known = m_written.recorded_share();
        auto next = known.begin();
        bool isKnown = false;
        for (const std::uint32_t run : m_written.recorded_run())
        {
            const auto left = static_cast<std::size_t>(known.end() - next);
            if (run > static_cast<std::size_t>(mostBins) - shares.size() || (isKnown && run > left))
            {
                Refuse("recorded_run",
                       std::to_string(run),
                       "must add up to the recorded_share, and to at most " +
                           std::to_string(mostBins) + " slots");
            }
            for (std::uint32_t i = 0; i < run; ++i)
            {
                shares.push_back(isKnown ? std::optional(recordedShareUnit * *next++)
                                         : std::nullopt);
            }
            isKnown = !isKnown;
        }
        if (next != known.end())
        {
            Refuse("recorded_run", "", "must count every recorded_share");
        }
        return shares;
    }

    std::vector<double> RecordedSaid(const WindowNetwork& network) const
    {
        std::vector<double> said;
        for (const std::uint32_t units : m_written.recorded_said())
        {
            said.push_back(recordedShareUnit * units);
        }
        if (!said.empty() && said.size() * network.slots != network.recordedShares.size())
        {
            Refuse("recorded_said",
                   std::to_string(said.size()),
                   "must be there for each window of what was recorded");
        }
        return said;
    }

    std::vector<double> Matrix(const std::string& field,
                               const google::protobuf::RepeatedField<double>& values,
                               std::size_t size) const
    {
        if (static_cast<std::size_t>(values.size()) != size)
        {
            Refuse(field,
                   std::to_string(values.size()) + " numbers",
                   "must be " + std::to_string(size) + " for this model and its hidden cells");
        }
        for (const double value : values)
        {
            if (!(std::abs(value) <= largestWeight))
            {
                Refuse(field, std::to_string(value), "must be a number of at most 1e9");
            }
        }
        return {values.begin(), values.end()};
    }

    void CheckOrder(const WindowNetwork& network) const
    {
        for (const double deviation : network.featureDeviations)
        {
            if (!(deviation >= leastDeviation))
            {
                Refuse("feature_deviations", std::to_string(deviation), "must be at least 1e-9");
            }
        }
        if (!std::is_sorted(network.residuals.begin(), network.residuals.end()))
        {
            Refuse("residuals", "", "must ascend, as quantiles do");
        }
    }

    const std::string& m_file;
    const path::WindowNetwork& m_written;
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
            NetworkReader(file, content.network()).Read(output, model.forward.Lanes().size());
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
