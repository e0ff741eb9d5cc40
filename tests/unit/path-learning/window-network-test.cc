// SPDX-License-Identifier: GPL-2.0-only
// The network of a learned path in plain C++: one step by hand, and what becomes of packets on
// paths with one.
#include "error-text.h"
#include "path-learning/fifo-recursion.h"
#include "path-learning/path-file.h"
#include "units/random-stream.h"
#include "wan-topology/model/learned-direction.h"

#include <gtest/gtest.h>

#include <cmath>

namespace geotrain
{
namespace
{

/// Returns a network of one cell whose weights are all 0 but the biases of its output.
WindowNetwork
ConstantNetwork(WindowNetwork::Output output, std::vector<double> biases)
{
    WindowNetwork network;
    network.output = output;
    network.window = Duration::Milliseconds(1);
    network.hidden = 1;
    network.inputWeights.resize(4 * windowFeatures);
    network.stateWeights.resize(4);
    network.biases.resize(4);
    network.outputWeights.resize(network.Outputs());
    network.outputBiases = std::move(biases);
    network.featureMeans.resize(windowFeatures);
    network.featureDeviations.assign(windowFeatures, 1);
    return network;
}

/// At 8 Mbit/s a byte takes a microsecond.
PathParameters
PathWith(const WindowNetwork& network, std::int64_t bufferBytes)
{
    PathParameters path;
    path.rate = BitRate::BitsPerSecond(8000000);
    path.propagation = Duration::Milliseconds(10);
    path.buffer = Bytes::Of(bufferBytes);
    path.network = std::make_shared<const WindowNetwork>(network);
    return path;
}

ns3::LearnedDirection
DirectionOf(const PathParameters& path, const std::string& name = "a -> b")
{
    ns3::LinkSettings settings;
    settings.name = name;
    settings.learned = std::make_shared<const PathParameters>(path);
    return ns3::LearnedDirection(settings);
}

Instant
NetworkTime(std::int64_t microseconds)
{
    return Instant() + Duration::Microseconds(microseconds);
}

double
SigmoidOf(double x)
{
    return 1 / (1 + std::exp(-x));
}

// One cell, all of its weights different: c = f c + i tanh(g), h = o tanh(c), twice.
TEST(WindowLstm, ComputesTheEquationsOfItsGates)
{
    WindowNetwork network = ConstantNetwork(WindowNetwork::Output::CrossTraffic, {0.25});
    for (std::size_t gate = 0; gate < 4; ++gate)
    {
        network.inputWeights[gate * windowFeatures] = 0.1 * static_cast<double>(gate + 1);
        network.stateWeights[gate] = 0.3 - 0.2 * static_cast<double>(gate);
        network.biases[gate] = 0.05 * static_cast<double>(gate);
    }
    network.outputWeights = {2};
    network.featureMeans[0] = 1;
    network.featureDeviations[0] = 0.5;
    WindowLstm lstm(std::make_shared<const WindowNetwork>(network));
    double cell = 0;
    double hidden = 0;
    for (const double feature : {1.5, 9.0}) // the second is 16 deviations off: limited to 4
    {
        const double x = std::min(4.0, (feature - 1) / 0.5);
        const double input = SigmoidOf(0.1 * x + 0.3 * hidden);
        const double forget = SigmoidOf(0.2 * x + 0.1 * hidden + 0.05);
        const double candidate = std::tanh(0.3 * x - 0.1 * hidden + 0.1);
        const double output = SigmoidOf(0.4 * x - 0.3 * hidden + 0.15);
        cell = forget * cell + input * candidate;
        hidden = output * std::tanh(cell);
        WindowFeatures::Values features{};
        features[0] = feature;
        EXPECT_NEAR(lstm.Step(features)[0], 2 * hidden + 0.25, 1e-15);
    }
}

// Two packets of 1,000 bytes, 400 us apart, the second in the buffer behind the first: the delays
// of 1,000 and 1,700 us say that 100 bytes came between, a quarter of the rate.
TEST(WindowFeatures, SayWhatWasSentAndWhatCameBack)
{
    const auto path = PathWith(ConstantNetwork(WindowNetwork::Output::CrossTraffic, {0}), 2000);
    WindowFeatures features(path, Duration::Milliseconds(1));
    features.Add(0, 1000, 1000000);
    features.Add(400000, 1000, 1700000);
    features.Add(500000, 1000, std::nullopt);
    const WindowFeatures::Values values = features.Finish();
    EXPECT_NEAR(values[0], std::log(4), 1e-12);
    EXPECT_NEAR(values[1], 3, 1e-12);
    EXPECT_NEAR(values[2], 0.25, 1e-12);
    EXPECT_NEAR(values[3], 1350. / 2000, 1e-12);
    EXPECT_NEAR(values[4], 1700. / 2000, 1e-12);
    EXPECT_NEAR(values[5], 1. / 3, 1e-12);
    EXPECT_NEAR(values[6], 0.4, 1e-12);
    EXPECT_NEAR(values[7], 0.25, 1e-12);
    const WindowFeatures::Values empty = features.Finish();
    EXPECT_EQ(empty[0], 0);
    EXPECT_EQ(empty[2], 1);
    EXPECT_EQ(empty[4], values[4]) << "an empty window says nothing of delays";
}

// softplus(0) = ln 2: cross traffic takes 69 % of the rate, so that 1,000 us after a packet of
// 1,000 bytes ln 2 of these are left, also after windows in which nothing was sent.
TEST(PathWithNetwork, CrossTrafficIsTheNetworks)
{
    auto direction =
        DirectionOf(PathWith(ConstantNetwork(WindowNetwork::Output::CrossTraffic, {0}), 100000));
    direction.Offer(NetworkTime(5000), Bytes::Of(1000));
    const auto outcome = direction.Offer(NetworkTime(6000), Bytes::Of(1000));
    const double stay = 1000 + 1000 * std::log(2);
    EXPECT_NEAR((outcome.departure - NetworkTime(6000)).ToSeconds(), stay * 1e-6, 1e-9);
}

// The recurrence that is trained is told what was lost, and gives the same delays within 1e-9 s.
TEST(PathWithNetwork, GivesTheDelaysOfTheTrainedRecurrence)
{
    auto direction =
        DirectionOf(PathWith(ConstantNetwork(WindowNetwork::Output::CrossTraffic, {0}), 10000));
    std::vector<FifoPacket> packets(3000);
    std::vector<double> stays;
    RandomStream stream(2, "test", "packets");
    std::int64_t at = 0;
    for (FifoPacket& packet : packets)
    {
        at += std::llround((stream.Uniform() < 0.01 ? 40000 : 2000) * stream.Uniform());
        packet.sent = 1e-6 * static_cast<double>(at);
        packet.bytes = 1000;
        const auto outcome = direction.Offer(NetworkTime(at), Bytes::Of(1000));
        packet.isLost = outcome.verdict != ns3::LinkOutcome::Verdict::Accepted;
        stays.push_back(packet.isLost ? 0 : (outcome.departure - NetworkTime(at)).ToSeconds());
    }
    FifoRecursion recursion(packets, 0.001);
    const double share = std::log(2);
    const std::vector<double>& trained = recursion.Forward({1e6, 0, 0.01}, &share, 1);
    std::size_t lost = 0;
    for (std::size_t i = 0; i < packets.size(); ++i)
    {
        lost += packets[i].isLost ? 1 : 0;
        if (!packets[i].isLost)
        {
            EXPECT_NEAR(std::min(trained[i], 0.01), stays[i], 1e-9) << i;
        }
    }
    EXPECT_GT(lost, 300u);
    EXPECT_LT(lost, 2700u);
}

// Residuals from -1 to 1 around ln 2, of which what is below 0 counts as 0: the mean of the
// windows' shares is (ln 2 + 1)^2 / 4 = 0.717. The buffer of a gigabyte never runs empty.
TEST(PathWithNetwork, ResidualsAreDrawnPerWindowFromTheStreamOfTheLink)
{
    WindowNetwork network = ConstantNetwork(WindowNetwork::Output::CrossTraffic, {0});
    network.residuals = {-1, 0, 1};
    const PathParameters path = PathWith(network, 1000000000);
    const auto growth = [&](const std::string& name)
    {
        auto direction = DirectionOf(path, name);
        direction.Offer(NetworkTime(0), Bytes::Of(100000000));
        const auto outcome = direction.Offer(NetworkTime(20000000), Bytes::Of(1000));
        return (outcome.departure - NetworkTime(20000000)).ToSeconds();
    };
    // 20 s: 20,000 windows; the standard error of their mean is below 0.005.
    EXPECT_NEAR((growth("a") - 100) / 20 + 1, std::pow(std::log(2) + 1, 2) / 4, 0.02);
    EXPECT_EQ(growth("a"), growth("a"));
    EXPECT_NE(growth("a"), growth("b"));
}

// Two slots a window, of whose second the record says a quarter of the rate. The first one's
// residual is drawn, and always -1, so that nothing comes in it, nor after the record's only
// window.
TEST(PathWithNetwork, RepeatsTheRecordAndDrawsWhereItIsSilent)
{
    WindowNetwork network = ConstantNetwork(WindowNetwork::Output::CrossTraffic, {0});
    network.residuals = {-1, -1};
    network.slots = 2;
    network.recordedShares = {std::nullopt, 0.25};
    auto direction = DirectionOf(PathWith(network, 1000000));
    direction.Offer(NetworkTime(0), Bytes::Of(100000));
    const auto backlogAt = [&](std::int64_t microseconds)
    {
        const auto outcome = direction.Offer(NetworkTime(microseconds), Bytes::Of(1000));
        return (outcome.departure - NetworkTime(microseconds)).ToSeconds() * 1e6;
    };
    EXPECT_NEAR(backlogAt(500), 100000 - 500 + 1000, 1e-3);
    EXPECT_NEAR(backlogAt(1000), 100000 - 1000 + 2000 + 125, 1e-3);
    EXPECT_NEAR(backlogAt(2000), 100000 - 2000 + 3000 + 125, 1e-3);
}

// The network says ln 2 = 0.693 of every window. It said 0.5 of the first recorded one, of which
// 0.25 is known: now it is 0.443. It said 1 of the second, of which 0.1 is known: now nothing
// comes.
TEST(PathWithNetwork, AddsToTheRecordWhatItSaysOfThisSenderBeyondTheRecordedOne)
{
    WindowNetwork network = ConstantNetwork(WindowNetwork::Output::CrossTraffic, {0});
    network.recordedShares = {0.25, 0.1};
    network.recordedSaid = {0.5, 1};
    auto direction = DirectionOf(PathWith(network, 1000000));
    direction.Offer(NetworkTime(0), Bytes::Of(100000));
    const auto backlogAt = [&](std::int64_t microseconds)
    {
        const auto outcome = direction.Offer(NetworkTime(microseconds), Bytes::Of(1000));
        return (outcome.departure - NetworkTime(microseconds)).ToSeconds() * 1e6;
    };
    const double cross = 1000 * (0.25 + std::log(2) - 0.5);
    EXPECT_NEAR(backlogAt(1000), 100000 - 1000 + 1000 + cross, 1e-3);
    EXPECT_NEAR(backlogAt(2000), 100000 - 2000 + 2000 + cross, 1e-3);
}

// An output of 0 is a delay of ln 2 of the 2,000 us in which the buffer empties; one of ln(1/3) a
// loss of a quarter of the packets. Of 10,000 packets the standard error is 0.0044.
TEST(PathWithNetwork, PlainNetworkSaysDelayAndLoss)
{
    auto direction = DirectionOf(PathWith(
        ConstantNetwork(WindowNetwork::Output::DelayAndLoss, {0, std::log(1. / 3)}), 2000));
    int lost = 0;
    for (int i = 0; i < 10000; ++i)
    {
        const auto outcome = direction.Offer(NetworkTime(100 * i), Bytes::Of(1000));
        if (outcome.verdict != ns3::LinkOutcome::Verdict::Accepted)
        {
            ++lost;
            continue;
        }
        EXPECT_NEAR(
            (outcome.arrival - NetworkTime(100 * i)).ToSeconds(), 0.01 + 0.002 * std::log(2), 1e-9);
    }
    EXPECT_NEAR(lost, 2500, 5 * 44);
}

PathModel
ModelWith(const WindowNetwork& network)
{
    PathModel model;
    model.model = network.output == WindowNetwork::Output::CrossTraffic ? "rbu" : "lstm";
    model.forward = PathWith(network, 2000);
    return model;
}

TEST(PathFileWithNetwork, KeepsAllThatItWasGiven)
{
    WindowNetwork network = ConstantNetwork(WindowNetwork::Output::DelayAndLoss, {0.1, -3.5});
    network.inputWeights[5] = 1. / 3;
    network.residuals = {-0.5, 0.125};
    PathModel model = ModelWith(network);
    model.trainingLosses = {3, 2};
    model.heldOutLosses = {4, 1};
    const std::string bytes = EncodePath(model);
    const PathModel read = DecodePath("f", bytes);
    EXPECT_EQ(read.forward.network->inputWeights, network.inputWeights);
    EXPECT_EQ(read.forward.network->residuals, network.residuals);
    EXPECT_EQ(read.forward.network->output, WindowNetwork::Output::DelayAndLoss);
    EXPECT_EQ(read.heldOutLosses, model.heldOutLosses);
    EXPECT_EQ(EncodePath(read), bytes);
    EXPECT_FALSE(LinkOf(read).backward.network);
}

std::string
RefusalOf(const WindowNetwork& network)
{
    return ErrorText([&] { DecodePath("f", EncodePath(ModelWith(network))); });
}

TEST(PathFileWithNetwork, WeightsOfAnotherShapeOrValueAreRefused)
{
    const WindowNetwork good = ConstantNetwork(WindowNetwork::Output::CrossTraffic, {0});
    EXPECT_EQ(RefusalOf(good), "");
    WindowNetwork bad = good;
    bad.stateWeights.push_back(0);
    EXPECT_EQ(RefusalOf(bad),
              "f: network.state_weights: \"5 numbers\" must be 4 for this model and its hidden "
              "cells");
    bad = good;
    bad.hidden = 2;
    EXPECT_NE(RefusalOf(bad).find("network.input_weights"), std::string::npos);
    bad = good;
    bad.biases[1] = std::nan("");
    EXPECT_NE(RefusalOf(bad).find("network.biases: \"nan\""), std::string::npos);
    bad = good;
    bad.featureDeviations[3] = 0;
    EXPECT_NE(RefusalOf(bad).find("network.feature_deviations"), std::string::npos);
    bad = good;
    bad.residuals = {1, 0};
    EXPECT_NE(RefusalOf(bad).find("network.residuals"), std::string::npos);
    bad = good;
    bad.window = Duration();
    EXPECT_NE(RefusalOf(bad).find("network.window_ns"), std::string::npos);
    bad = good;
    bad.hidden = 0;
    EXPECT_NE(RefusalOf(bad).find("network.hidden"), std::string::npos);
}

TEST(PathFileWithNetwork, KeepsSlotsAndWhatWasRecorded)
{
    WindowNetwork network = ConstantNetwork(WindowNetwork::Output::CrossTraffic, {0});
    network.slots = 4;
    network.recordedShares = {0.5, std::nullopt, 0.25, 0.5, 0, 0, std::nullopt, 0};
    network.recordedSaid = {0.25, 0.5};
    PathModel model = ModelWith(network);
    const std::string bytes = EncodePath(model);
    const PathModel read = DecodePath("f", bytes);
    EXPECT_EQ(read.forward.network->slots, 4u);
    EXPECT_EQ(read.forward.network->recordedShares, network.recordedShares);
    EXPECT_EQ(read.forward.network->recordedSaid, network.recordedSaid);
    EXPECT_EQ(EncodePath(read), bytes);
    network.recordedSaid = {0.25};
    EXPECT_NE(RefusalOf(network).find("network.recorded_said"), std::string::npos);
    network.slots = 3;
    EXPECT_NE(RefusalOf(network).find("network.slots"), std::string::npos);
}

TEST(PathFileWithNetwork, AModelWithoutItsNetworkIsRefused)
{
    PathModel model = ModelWith(ConstantNetwork(WindowNetwork::Output::CrossTraffic, {0}));
    model.forward.network = nullptr;
    EXPECT_EQ(ErrorText([&] { DecodePath("f", EncodePath(model)); }),
              "f: model: \"rbu\" must be fifo or ibox, or rbu or lstm with a network");
}

} // namespace
} // namespace geotrain
