// SPDX-License-Identifier: GPL-2.0-only
// Reads model files, which may be anybody's: every number is checked.
#include "path-learning/path-file-format.h"
#include "path-learning/path-file.h"
#include "path-learning/trace-readers.h"
#include "schema/path.pb.h"
#include "units/config-error.h"

#include <algorithm>
#include <fmt/format.h>

namespace geotrain
{

namespace
{

constexpr double largestRate = 1e14;    // 100 Tbit/s, as the greatest rate of a link
constexpr double longestDelayNs = 1e10; // 10 s, as the longest delay of a link
constexpr double largestBuffer = 1e12;
constexpr double shortestBinNs = 1e3;
constexpr double longestSpanNs = 3.6e12; // an hour, of a bin or a window
constexpr double mostBins = 1e7;         // of cross traffic, and of what was recorded
constexpr double shortestWindowNs = 1e4;
constexpr double mostCells = 1024;
constexpr double mostResiduals = 10000;
constexpr std::size_t mostSlots = 1000; // of a window
constexpr double largestWeight = 1e9;
constexpr double leastDeviation = 1e-9;

/// PathReader checks what one file holds.
class PathReader
{
  public:
    explicit PathReader(const std::string& file)
        : m_file(file)
    {
    }

    PathParameters Direction(const std::string& field, const path::Direction& written) const
    {
        Check(field + ".rate_bps", written.rate_bps(), 1, largestRate);
        Check(field + ".propagation_ns", written.propagation_ns(), 0, longestDelayNs);
        Check(field + ".buffer_bytes", written.buffer_bytes(), 1, largestBuffer);
        if (!(written.loss() >= 0 && written.loss() < 1))
        {
            Refuse(
                field + ".loss", std::to_string(written.loss()), "must be at least 0 and below 1");
        }
        PathParameters path;
        path.rate = BitRate::BitsPerSecond(written.rate_bps());
        path.propagation = Duration::Nanoseconds(written.propagation_ns());
        path.buffer = Bytes::Of(written.buffer_bytes());
        path.lossShare = written.loss();
        if (written.cross_bps_size() > 0)
        {
            Check(field + ".bin_ns", written.bin_ns(), shortestBinNs, longestSpanNs);
            path.crossTraffic.bin = Duration::Nanoseconds(written.bin_ns());
            path.crossTraffic.yields = written.cross_yields();
            path.crossTraffic.bitsPerSecond =
                Numbers(field + ".cross_bps", written.cross_bps(), {0, largestRate, mostBins});
        }
        return path;
    }

    std::shared_ptr<const WindowNetwork> Network(const path::WindowNetwork& written,
                                                 WindowNetwork::Output output) const
    {
        Check("network.window_ns", written.window_ns(), shortestWindowNs, longestSpanNs);
        Check("network.hidden", written.hidden(), 1, mostCells);
        WindowNetwork network;
        network.output = output;
        network.window = Duration::Nanoseconds(written.window_ns());
        network.hidden = written.hidden();
        const std::size_t inputs = windowFeatures;
        const std::size_t gates = 4 * network.hidden;
        const std::size_t outputs = network.Outputs();
        network.inputWeights = Matrix("input_weights", written.input_weights(), gates * inputs);
        network.stateWeights =
            Matrix("state_weights", written.state_weights(), gates * network.hidden);
        network.biases = Matrix("biases", written.biases(), gates);
        network.outputWeights =
            Matrix("output_weights", written.output_weights(), outputs * network.hidden);
        network.outputBiases = Matrix("output_biases", written.output_biases(), outputs);
        network.featureMeans = Matrix("feature_means", written.feature_means(), inputs);
        network.featureDeviations =
            Matrix("feature_deviations", written.feature_deviations(), inputs, leastDeviation);
        network.residuals = Numbers("network.residuals",
                                    written.residuals(),
                                    {-largestWeight, largestWeight, mostResiduals});
        if (!std::is_sorted(network.residuals.begin(), network.residuals.end()))
        {
            Refuse("network.residuals", "", "must ascend, as quantiles do");
        }
        network.recordedShares = RecordedShares(written);
        network.slots = std::max(1u, written.slots());
        if (network.slots > mostSlots ||
            written.window_ns() % static_cast<std::int64_t>(network.slots) != 0)
        {
            Refuse("network.slots",
                   std::to_string(network.slots),
                   fmt::format("must divide the window, and be at most {}", mostSlots));
        }
        for (const std::uint32_t units : written.recorded_said())
        {
            network.recordedSaid.push_back(recordedShareUnit * units);
        }
        const std::size_t said = network.recordedSaid.size();
        if (said > 0 && said * network.slots != network.recordedShares.size())
        {
            Refuse("network.recorded_said",
                   std::to_string(said),
                   "must be there for each window of what was recorded");
        }
        return std::make_shared<const WindowNetwork>(std::move(network));
    }

  private:
    /// Limits are those of the numbers in a list, and of their count.
    struct Limits
    {
        double least;
        double most;
        double count;
    };

    [[noreturn]] void
    Refuse(const std::string& field, const std::string& value, const std::string& rule) const
    {
        throw ConfigError(m_file, field, value, rule);
    }

    template <typename Number>
    void Check(const std::string& field, Number value, double least, double most) const
    {
        const auto number = static_cast<double>(value);
        if (!(number >= least && number <= most))
        {
            Refuse(
                field, fmt::format("{}", value), fmt::format("must be {:g} to {:g}", least, most));
        }
    }

    std::vector<double> Numbers(const std::string& field,
                                const google::protobuf::RepeatedField<double>& values,
                                const Limits& limits) const
    {
        Check(field + ": count", values.size(), 0, limits.count);
        for (const double value : values)
        {
            Check(field, value, limits.least, limits.most);
        }
        return {values.begin(), values.end()};
    }

    std::vector<double> Matrix(const std::string& name,
                               const google::protobuf::RepeatedField<double>& values,
                               std::size_t size,
                               double least = -largestWeight) const
    {
        const auto count = static_cast<std::size_t>(values.size());
        if (count != size)
        {
            Refuse("network." + name,
                   fmt::format("{} numbers", count),
                   fmt::format("must be {} for this model and its hidden cells", size));
        }
        return Numbers(
            "network." + name, values, {least, largestWeight, static_cast<double>(count)});
    }

    std::vector<std::optional<double>> RecordedShares(const path::WindowNetwork& written) const
    {
        std::vector<std::optional<double>> shares;
        auto next = written.recorded_share().begin();
        bool isKnown = false;
        for (const std::uint32_t run : written.recorded_run())
        {
            const auto left = static_cast<std::size_t>(written.recorded_share().end() - next);
            if (run > static_cast<std::size_t>(mostBins) - shares.size() || (isKnown && run > left))
            {
                Refuse("network.recorded_run",
                       std::to_string(run),
                       fmt::format("must add up to the recorded_share, and to at most {:g} slots",
                                   mostBins));
            }
            for (std::uint32_t i = 0; i < run; ++i)
            {
                shares.push_back(isKnown ? std::optional(recordedShareUnit * *next++)
                                         : std::nullopt);
            }
            isKnown = !isKnown;
        }
        if (next != written.recorded_share().end())
        {
            Refuse("network.recorded_run", "", "must count every recorded_share");
        }
        return shares;
    }

    const std::string& m_file;
};

path::LearnedPath
ContentOf(const std::string& file, const std::string& bytes)
{
    path::File written;
    if (!written.ParseFromString(bytes) || written.kind() != pathFileKind)
    {
        throw ConfigError(file, "", "", "is no model file of a learned path, or is cut");
    }
    if (written.version() < 1 || written.version() > PathFileVersion::latest)
    {
        throw ConfigError(file,
                          "version",
                          std::to_string(written.version()),
                          "must be 1 to " + std::to_string(PathFileVersion::latest) +
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

PathErrors
ErrorsOf(const path::Errors& written)
{
    return {written.throughput(), written.delay_mean(), written.delay_p95(), written.loss()};
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
        model.errors = ErrorsOf(making.errors());
    }
    if (making.has_held_out())
    {
        model.heldOut = {ErrorsOf(making.held_out()), ErrorsOf(making.held_out_fifo())};
    }
}

} // namespace

PathModel
DecodePath(const std::string& file, const std::string& bytes)
{
    const path::LearnedPath content = ContentOf(file, bytes);
    const bool isEstimate = content.model() == "ibox" || content.model() == "fifo";
    const bool isTrained = content.model() == "rbu" || content.model() == "lstm";
    if (!(isEstimate || isTrained) || content.has_network() != isTrained)
    {
        throw ConfigError(
            file, "model", content.model(), "must be fifo or ibox, or rbu or lstm with a network");
    }
    const PathReader reader(file);
    PathModel model;
    model.model = content.model();
    model.forward = reader.Direction("forward", content.forward());
    if (content.has_network())
    {
        const auto output = content.model() == "rbu" ? WindowNetwork::Output::CrossTraffic
                                                     : WindowNetwork::Output::DelayAndLoss;
        model.forward.network = reader.Network(content.network(), output);
    }
    if (content.has_backward())
    {
        model.backward = reader.Direction("backward", content.backward());
    }
    for (const path::Direction& member : content.member())
    {
        model.members.push_back(reader.Direction("member", member));
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
