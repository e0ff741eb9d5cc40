// SPDX-License-Identifier: GPL-2.0-only
// What a record says of the cross traffic, and what a network's weights and residuals make of it.
#include "known-network.h"
#include "path-learning/fifo-buffer.h"
#include "path-learning/path-cell.h"
#include "path-learning/trainer/calibration.h"
#include "path-learning/trainer/recorded-cross-traffic.h"
#include "path-learning/trainer/residuals.h"
#include "units/random-stream.h"

#include <gtest/gtest.h>

#include <cmath>

namespace geotrain
{
namespace
{

// At 8 Mbit/s a packet of 1,000 bytes takes a millisecond. The second is 0.5 ms behind the first, which
// is still in the buffer: it stays 1.7 ms instead of 1.5, so that 0.2 ms of others' bytes came between.
// The third, 8.5 ms later, waits for nothing, as does the only one like it: nothing came there. Of the
// second before the fourth nothing is known.
TEST(RecordedCrossTraffic, IsKnownWhileTheBufferIsBusy)
{
    PacketTrace trace;
    const auto add = [&](int sentMicroseconds, int delayMicroseconds)
    {
        TracedPacket packet;
        packet.sent = Instant() + Duration::Microseconds(sentMicroseconds);
        packet.size = Bytes::Of(1000);
        packet.delay = Duration::Microseconds(delayMicroseconds);
        trace.packets.push_back(packet);
    };
    add(0, 3000);
    add(500, 3700);
    add(9000, 3000);
    add(1009000, 3000);
    PathParameters path;
    path.rate = BitRate::BitsPerSecond(8000000);
    path.propagation = Duration::Milliseconds(2);
    path.buffer = Bytes::Of(10000);
    const auto shares = RecordedCrossTraffic(trace, path, Duration::Microseconds(500), 30);
    ASSERT_TRUE(shares[0]);
    EXPECT_NEAR(*shares[0], 0.2 / 0.5, 1e-9);
    for (std::size_t i = 1; i < shares.size(); ++i)
    {
        EXPECT_EQ(shares[i].has_value(), i < 18) << i;
        EXPECT_NEAR(shares[i].value_or(0), 0, 1e-9) << i;
    }
}

/// Returns packets of 1,000 bytes every `gap` ms, and up to `jitter` ms later, through a FIFO of 8 Mbit/s, a
/// packet per millisecond, and notes how many others came before each. These come at random times, as often as makes 0.3 of the rate; as a
/// fluid a tenth of each comes ten times as often.
PacketTrace
TraceBetweenPackets(bool isFluid, std::vector<double>& crossBefore, double gap, double jitter)
{
    RandomStream stream(3, "test", "others");
    RandomStream sender(3, "test", "sender");
    const double size = isFluid ? 0.1 : 1;
    PacketTrace trace;
    double next = 0;  // of the others, in ms
    double free = 0;  // when the FIFO is empty
    double cross = 0; // packets
    for (int i = 0; i < 2000; ++i)
    {
        const double sent = gap * i + jitter * sender.Uniform();
        while (next <= sent)
        {
            free = std::max(free, next) + size;
            cross += size;
            next -= std::log(stream.Uniform()) * size / 0.3;
        }
        free = std::max(free, sent) + 1;
        crossBefore.push_back(cross);
        TracedPacket packet;
        packet.sent = Instant::FromNanoseconds(std::llround(1e6 * sent));
        packet.size = Bytes::Of(1000);
        packet.delay = Duration::Nanoseconds(std::llround(1e6 * (free - sent + 20)));
        trace.packets.push_back(packet);
    }
    return trace;
}

PathParameters
PathOfThat()
{
    PathParameters path;
    path.rate = BitRate::BitsPerSecond(8000000);
    path.propagation = Duration::Milliseconds(20);
    path.buffer = Bytes::Of(1000000);
    return path;
}

// A bin of 0.2 ms takes a fifth of a packet: each packet is a share of 5 in one bin. At any time the record has
// as many as came, within one in ten gaps that are idle and one that is on its way.
TEST(RecordedCrossTraffic, OfPacketsIsInWholePackets)
{
    std::vector<double> crossBefore;
    const PacketTrace trace = TraceBetweenPackets(false, crossBefore, 1.4, 0);
    ASSERT_TRUE(ComesInPackets(trace, PathOfThat()));
    const auto shares =
        RecordedCrossTraffic(trace, PathOfThat(), Duration::Microseconds(200), 14000);
    double packets = 0;
    for (std::size_t bin = 0; bin < 13900; ++bin)
    {
        ASSERT_TRUE(shares[bin]) << bin;
        const double here = *shares[bin] / 5;
        EXPECT_NEAR(here, std::round(here), 1e-9);
        packets += here;
        if (bin % 7 == 6)
        {
            EXPECT_NEAR(packets, crossBefore[bin / 7], 0.05 * crossBefore[bin / 7] + 5);
        }
    }
}

/// Returns how much later than recorded each packet leaves the buffer when the record comes again in
/// slots of 0.2 ms, in ms.
std::vector<double>
LatenessOfReplay(const PacketTrace& trace)
{
    constexpr std::int64_t slotNs = 200000;
    const PathParameters path = PathOfThat();
    const auto shares =
        RecordedCrossTraffic(trace, path, Duration::Nanoseconds(slotNs), trace.packets.size() * 20);
    FifoBuffer buffer(path.rate, path.buffer);
    std::vector<double> lateness;
    std::size_t slot = 0;
    for (const TracedPacket& packet : trace.packets)
    {
        const std::int64_t sent = (packet.sent - Instant()).ToNanoseconds();
        for (; static_cast<std::int64_t>(slot) * slotNs <= sent; ++slot)
        {
            buffer.Drift(static_cast<std::int64_t>(slot) * slotNs);
            buffer.SetCrossTraffic(shares[slot].value_or(0) * buffer.BytesPerNs());
        }
        buffer.Drift(sent);
        const double stay = *buffer.Offer(static_cast<double>(packet.size.Count()));
        lateness.push_back(1e-6 * (stay - static_cast<double>(
                                              (*packet.delay - path.propagation).ToNanoseconds())));
    }
    return lateness;
}

// A packet in a slot delays as one that comes at the slot's beginning, once the slot is over. So waits are
// off by up to half of a slot, 0.1 ms, to either side: no bias beyond half of that, and a deviation of as
// much. Few packets are off by a packet's time, where one came between two at a time that nothing tells.
TEST(RecordedCrossTraffic, OfPacketsDelaysTheSenderAsRecorded)
{
    std::vector<double> crossBefore;
    const std::vector<double> lateness =
        LatenessOfReplay(TraceBetweenPackets(false, crossBefore, 2.2, 0.4));
    double sum = 0;
    double square = 0;
    for (const double late : lateness)
    {
        sum += late;
        square += late * late;
    }
    const auto count = static_cast<double>(lateness.size());
    EXPECT_NEAR(sum / count, 0, 0.05);
    EXPECT_LT(std::sqrt(square / count), 0.1);
}

TEST(RecordedCrossTraffic, OfAFluidIsNot)
{
    std::vector<double> crossBefore;
    EXPECT_FALSE(ComesInPackets(TraceBetweenPackets(true, crossBefore, 1.4, 0), PathOfThat()));
}

/// Returns a record of a path whose cross traffic is 0.2 of the rate at first, and 0.4 later.
PacketTrace
TraceOfTwoLevels(const PathParameters& path)
{
    PathCell cell(path);
    PacketTrace trace;
    RandomStream stream(6, "test", "gaps");
    for (std::int64_t at = 0; at < 8000000000; at += std::llround(3.2e6 * stream.Uniform()))
    {
        TracedPacket packet;
        packet.sent = Instant::FromNanoseconds(at);
        packet.size = Bytes::Of(1000);
        if (const auto stay = cell.Offer(packet.sent, packet.size))
        {
            packet.delay = *stay + path.propagation;
        }
        trace.packets.push_back(packet);
    }
    return trace;
}

// What a network of random weights says is chance, and is taken back to a constant. One that says too little
// of what was recorded, or too much, is scaled: its only weight is on the cross traffic of the window before,
// which is feature 7. That is what comes in 23 of 25 windows, and softplus has a slope of 0.26 at its mean of
// 0.3: the right weight is 0.92 / 0.26 = 3.5, less two standard errors.
TEST(Calibrate, LeavesOnlyWhatOtherWindowsBearOut)
{
    PathParameters path = PathToLearn();
    path.buffer = Bytes::Of(1000000);
    path.crossTraffic = {Duration::Milliseconds(500), {1.6e6, 3.2e6}};
    const PacketTrace trace = TraceOfTwoLevels(path);
    std::vector<TrainingRecord> records;
    records.emplace_back(trace, Duration::Milliseconds(20));
    records.front().Describe(path);
    std::vector<TrainingChunk> chunks = records.front().Chunks(0, 64, 8);
    std::vector<TrainingChunk*> judged;
    for (TrainingChunk& chunk : chunks)
    {
        judged.push_back(&chunk);
    }
    WindowNetwork network = RandomNetwork(WindowNetwork::Output::CrossTraffic);
    network.hidden = 1;
    network.inputWeights.assign(4 * windowFeatures, 0);
    network.stateWeights.assign(4, 0);
    network.biases = {20, -20, 0, 20}; // the cell is tanh of its input, and all of it is put out
    network.inputWeights[2 * windowFeatures + 7] = 1;
    network.outputWeights = {1};
    network.outputBiases = {-1};
    network.featureMeans.assign(windowFeatures, 0);
    network.featureMeans[7] = 0.3;
    network.featureDeviations.assign(windowFeatures, 1);
    for (const double weight : {1.2, 2.0, 6.0})
    {
        WindowNetwork right = network;
        right.outputWeights = {weight};
        Calibrate(right, records, judged);
        EXPECT_GT(right.outputWeights[0], 3.0) << weight;
        EXPECT_LT(right.outputWeights[0], 3.9) << weight;
    }
    WindowNetwork faint = network;
    faint.outputWeights = {0.3};
    Calibrate(faint, records, judged);
    EXPECT_NEAR(faint.outputWeights[0], 0.3, 1e-9) << "a slope of 12 is none";
    WindowNetwork chance = network;
    chance.inputWeights[2 * windowFeatures + 7] = 0;
    chance.inputWeights[2 * windowFeatures + 2] = 1; // the mean gap of packets at random times
    Calibrate(chance, records, judged);
    EXPECT_LT(chance.outputWeights[0], 0.2 * network.outputWeights[0]);
}

// A network that says a constant says nothing of the sender: the record comes again as it was. Else a
// path needs to know what was said of each of the record's 400 windows.
TEST(FillResiduals, KeepsWhatWasSaidOfTheRecordUnlessThatIsAConstant)
{
    PathParameters path = PathToLearn();
    path.crossTraffic = {Duration::Milliseconds(500), {1.6e6, 3.2e6}};
    const PacketTrace trace = TraceOfTwoLevels(path);
    std::vector<TrainingRecord> records;
    records.emplace_back(trace, Duration::Milliseconds(20));
    records.front().Describe(path);
    WindowNetwork network = RandomNetwork(WindowNetwork::Output::CrossTraffic);
    WindowNetwork constant = network;
    FillResiduals(network, records, {path});
    EXPECT_EQ(network.recordedSaid.size(), records.front().inputs.size());
    EXPECT_EQ(network.recordedSaid.size() * network.slots, network.recordedShares.size());
    constant.outputWeights.assign(constant.outputWeights.size(), 0);
    FillResiduals(constant, records, {path});
    EXPECT_TRUE(constant.recordedSaid.empty());
}

} // namespace
} // namespace geotrain
