// SPDX-License-Identifier: GPL-2.0-only
// Describes a link whose behaviour was learned from packet records: one FIFO buffer that the
// packets share with cross traffic that nobody recorded. The cross traffic is a series, or a
// recurrent network says it window by window.
#pragma once

#include "units/bytes.h"
#include "units/duration.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace geotrain
{

/// CrossTrafficSeries is the rate of others' traffic over time. After its end it begins again.
struct CrossTrafficSeries
{
    Duration bin;                      ///< time that a value holds; positive
    std::vector<double> bitsPerSecond; ///< each at least 0; none: there is no cross traffic
    /// It is of connections that yield to others: each time in which there is some is a transfer of
    /// as many bytes. Else it comes again as it is, whoever sends.
    bool yields = false;

    /// Returns the mean over the series.
    double MeanBitsPerSecond() const
    {
        double sum = 0;
        for (const double value : bitsPerSecond)
        {
            sum += value;
        }
        return bitsPerSecond.empty() ? 0 : sum / static_cast<double>(bitsPerSecond.size());
    }
};

constexpr std::size_t windowFeatures = 8; ///< numbers that describe a window (WindowFeatures)

/// WindowNetwork is an LSTM and a linear layer over windows of time of equal length. From what was
/// sent in a window and what came of it, it says what the next window is like. All that it reads and
/// says is relative to rate and buffer of the path. Matrices are by row.
struct WindowNetwork
{
    enum class Output
    {
        CrossTraffic, ///< one output: cross traffic as a share of the rate (RBU)
        DelayAndLoss ///< two: delay as a share of the buffer's emptying time, and loss (plain LSTM)
    };

    std::size_t Outputs() const
    {
        return output == Output::CrossTraffic ? 1 : 2;
    }

    Output output = Output::CrossTraffic;
    Duration window;        ///< positive
    std::size_t hidden = 0; ///< cells of the LSTM; positive
    std::vector<double> inputWeights;  ///< 4 hidden x windowFeatures; input, forget, cell, output
    std::vector<double> stateWeights;  ///< 4 hidden x hidden, in the same order of gates
    std::vector<double> biases;        ///< 4 hidden
    std::vector<double> outputWeights; ///< outputs x hidden
    std::vector<double> outputBiases;  ///< outputs
    std::vector<double> featureMeans;  ///< windowFeatures
    std::vector<double> featureDeviations; ///< windowFeatures, positive
    /// Equal parts of a window, each of which has cross traffic of its own: bursts are shorter than what
    /// the network can follow. Positive, and a divisor of the window in ns.
    std::size_t slots = 1;
    /// What the records' first outputs were beyond the network's, slot by slot: quantiles at equal
    /// distances from the least to the greatest. One is drawn per slot; none: nothing is drawn.
    std::vector<double> residuals;
    /// What the records' first outputs were, by slot from their beginning, one record after another;
    /// at least 0, and none where they say nothing. A path repeats them once, and asks the network
    /// where there are none.
    std::vector<std::optional<double>> recordedShares;
    /// What the network said of the records, by window. A path adds to recordedShares what it
    /// says of the present sender beyond this: so much the cross traffic reacts. None: it doesn't.
    std::vector<double> recordedSaid;
};

/// PathParameters describe one direction, a FIFO buffer. Rate and buffer are positive.
struct PathParameters
{
    BitRate rate;         ///< rate at which the buffer empties
    Duration propagation; ///< delay beyond buffer and wire; at least 0
    Bytes buffer;         ///< greatest backlog, the packet itself included
    CrossTrafficSeries crossTraffic;
    double lossShare = 0; ///< of what leaves the buffer, lost at random; at least 0, below 1
    std::shared_ptr<const WindowNetwork> network; ///< what says more; none: crossTraffic does
};

/// LearnedLink is both directions of a link.
struct LearnedLink
{
    PathParameters forward;
    PathParameters backward;
};

} // namespace geotrain
