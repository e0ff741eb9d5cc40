// SPDX-License-Identifier: GPL-2.0-only
#include "path-learning/network-message.h"

#include "path-learning/path-file.h"
#include "units/config-error.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace geotrain
{

namespace
{

constexpr std::int64_t shortestWindow = 10000;        // 10 us
constexpr std::int64_t longestWindow = 3600000000000; // 1 h
constexpr std::uint32_t mostCells = 1024;
constexpr int mostResiduals = 10000;
constexpr int mostRecordedSlots = 10000000;
constexpr std::uint32_t mostSlots = 1000; // of a window
constexpr double largestWeight = 1e9;
constexpr double leastDeviation = 1e-9;

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
        if (m_written.window_ns() < shortestWindow || m_written.window_ns() > longestWindow)
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
            if (run > static_cast<std::size_t>(mostRecordedSlots) - shares.size() ||
                (isKnown && run > left))
            {
                Refuse("recorded_run",
                       std::to_string(run),
                       "must add up to the recorded_share, and to at most " +
                           std::to_string(mostRecordedSlots) + " slots");
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

} // namespace

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

std::shared_ptr<const WindowNetwork>
ReadNetwork(const std::string& file,
            const path::WindowNetwork& written,
            WindowNetwork::Output output,
            std::size_t lanes)
{
    return NetworkReader(file, written).Read(output, lanes);
}

} // namespace geotrain
