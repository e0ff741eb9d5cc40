// SPDX-License-Identifier: GPL-2.0-only
// A path and a network that tests of the training share.
#pragma once

#include "units/random-stream.h"
#include "wan/learned-link.h"

#include <vector>

namespace geotrain
{

/// Returns standard normal values.
inline std::vector<double>
Draw(RandomStream& stream, std::size_t count)
{
    std::vector<double> values;
    for (std::size_t i = 0; i < count; ++i)
    {
        values.push_back(stream.Normal());
    }
    return values;
}

/// Returns a network of seven cells with random weights.
inline WindowNetwork
RandomNetwork(WindowNetwork::Output output)
{
    RandomStream stream(3, "test", "network");
    WindowNetwork network;
    network.output = output;
    network.window = Duration::Milliseconds(10);
    network.hidden = 7;
    network.inputWeights = Draw(stream, 28 * windowFeatures);
    network.stateWeights = Draw(stream, 28 * 7);
    network.biases = Draw(stream, 28);
    network.outputWeights = Draw(stream, network.Outputs() * 7);
    network.outputBiases = Draw(stream, network.Outputs());
    network.featureMeans = Draw(stream, windowFeatures);
    network.featureDeviations.assign(windowFeatures, 0.4);
    return network;
}

/// A path of 8 Mbit/s, 20 ms and 40 kB. Cross traffic takes 20 % or 50 % of the rate, 200 ms each.
inline PathParameters
PathToLearn()
{
    PathParameters path;
    path.rate = BitRate::BitsPerSecond(8000000);
    path.propagation = Duration::Milliseconds(20);
    path.buffer = Bytes::Of(40000);
    path.crossTraffic = {Duration::Milliseconds(200), {1.6e6, 4e6}};
    return path;
}

} // namespace geotrain
