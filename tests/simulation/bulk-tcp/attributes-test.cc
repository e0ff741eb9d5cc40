// SPDX-License-Identifier: GPL-2.0-only
// Each attribute of geotrain::BulkTcp changes what its help says, in a transfer over a light link.
// Impossible values are refused.
#include "bulk-tcp/model/bulk-tcp-attributes.h"
#include "express-path-helper.h"
#include "units/config-error.h"

#include <gtest/gtest.h>

#include <ns3/config.h>
#include <ns3/simulator.h>
#include <ns3/string.h>

#include <cmath>
#include <functional>
#include <set>

namespace
{

using namespace ns3;
using geotrain::BitRate;
using geotrain::Bytes;
using geotrain::Duration;

/// Outcome is the result of a run of two messages.
struct Outcome
{
    double firstSeconds = 0; ///< until the first message was delivered
    double drainedSeconds = 0;
    double timeoutSeconds = 0;
    std::uint64_t acks = 0;
    std::uint64_t probes = 0;
    std::uint64_t retransmitted = 0; ///< packets
    std::uint64_t window = 0;        ///< bytes that the receiver has room for in the end
    bool isPaced = false;
    bool noticesLess = false; ///< HyStart++ notices a rise of the round trip by 4.5 ms at 40 ms
    bool noticesMore = false; ///< HyStart++ notices a rise by 5 ms at 40 ms
};

/// Returns whether HyStart++ notices a rise of the round trip from 40 ms, with ten measurements per
/// round.
bool
Notices(std::int64_t riseNs)
{
    constexpr std::int64_t rttNs = 40000000;
    HyStartPlusPlus hyStart(BulkTcp::DefaultOptions().hyStart);
    HyStartPlusPlus::Phase phase = hyStart.OnAck(-1, 0, 10);
    for (std::uint64_t acked = 1; acked <= 19; ++acked)
    {
        phase = hyStart.OnAck(acked <= 10 ? rttNs : rttNs + riseNs, acked, 20);
    }
    return phase == HyStartPlusPlus::Phase::Conservative;
}

/// Sends 20 MB over 100 Mbit/s x 100 ms with a queue of ten bandwidth-delay products and a packet
/// loss of `loss`.
Outcome
Transfer(double loss)
{
    LinkModel::Settings link;
    link.rate = BitRate::BitsPerSecond(100000000);
    link.delay = Duration::Milliseconds(50);
    link.queue = QueueLimit::OfBytes(Bytes::Of(12500000));
    link.lossRate = loss;
    link.name = "attributes";
    ExpressPathHelper path;
    path.AddLink(link);
    path.Build();
    BulkTcpOptions options = BulkTcp::DefaultOptions();
    BulkSender& sender = path.Sender(path.AddFlow(options));
    sender.Send(1, 20000000);
    Simulator::Run();
    Outcome outcome;
    outcome.firstSeconds = static_cast<double>(path.Log().deliveredNs.at(0)) / 1e9;
    outcome.drainedSeconds = static_cast<double>(path.Log().drainedNs) / 1e9;
    outcome.timeoutSeconds = sender.RetransmissionTimeoutNow().GetSeconds();
    outcome.acks = path.Receiver(0).GetCounters().acks;
    outcome.probes = sender.GetCounters().tailLossProbes;
    outcome.retransmitted = sender.GetCounters().retransmittedPackets;
    outcome.window = path.Receiver(0).Edge() - path.Receiver(0).Next();
    outcome.isPaced = sender.State()->m_pacing;
    outcome.noticesLess = Notices(4500000);
    outcome.noticesMore = Notices(5000000);
    Simulator::Destroy();
    return outcome;
}

struct Case
{
    const char* name; ///< name of the attribute without its class
    const char* value;
    double loss;
    std::function<bool(const Outcome& initial, const Outcome& changed)> has; ///< the effect
};

class Attribute : public testing::TestWithParam<Case>
{
};

/// Of a connection by the RFCs, which HyStart++, offloads and compressed acknowledgements come on top of.
TEST_P(Attribute, HasItsEffect)
{
    const Case& tried = GetParam();
    Config::SetDefault("geotrain::BulkTcp::Preset", StringValue("RFC"));
    const Outcome initial = Transfer(tried.loss);
    Config::SetDefault(std::string("geotrain::BulkTcp::") + tried.name, StringValue(tried.value));
    const Outcome changed = Transfer(tried.loss);
    EXPECT_TRUE(tried.has(initial, changed))
        << "delivered " << initial.firstSeconds << " and " << changed.firstSeconds << " s, acks "
        << initial.acks << " and " << changed.acks << ", probes " << initial.probes << " and "
        << changed.probes << ", retransmitted " << initial.retransmitted << " and "
        << changed.retransmitted << ", timeout " << initial.timeoutSeconds << " and "
        << changed.timeoutSeconds << " s";
}

bool
IsSooner(const Outcome& initial, const Outcome& changed)
{
    return changed.firstSeconds < initial.firstSeconds;
}

bool
IsAnotherRun(const Outcome& initial, const Outcome& changed)
{
    return changed.firstSeconds != initial.firstSeconds ||
           changed.retransmitted != initial.retransmitted ||
           changed.timeoutSeconds != initial.timeoutSeconds; // the queue that was met
}

const std::vector<Case> attributeCases{
    {"Preset", "STOCK", 0, [](const auto&, const auto& c) { return !c.isPaced; }},
    {"Preset", "LINUX", 0, [](const auto&, const auto& c) { return !c.isPaced; }},
    {"Preset",
     "LINUX_FQ",
     0,
     [](const auto& i, const auto& c) { return c.isPaced && IsAnotherRun(i, c); }},
    {"InitialWindow", "40", 0, IsSooner}, // log2(40 / 10) = 2 round trips of slow start
    {"MinRto",
     "900ms",
     0,
     [](const auto& i, const auto& c)
     { return std::abs(c.timeoutSeconds - i.timeoutSeconds - (0.9 - 0.2)) < 1e-6; }},
    {"DelayedAckCount", "8", 0, [](const auto& i, const auto& c) { return c.acks < i.acks / 2; }},
    {"DelayedAckTimeout",
     "400ms",
     0.02,
     [](const auto& i, const auto& c) { return c.drainedSeconds != i.drainedSeconds; }},
    {"Pacing", "false", 0, [](const auto& i, const auto& c) { return i.isPaced && !c.isPaced; }},
    {"Offload", "LINUX", 0, IsAnotherRun},
    {"TailLossProbe",
     "false",
     0.2,
     [](const auto& i, const auto& c) { return i.probes > 0 && c.probes == 0; }},
    {"Autotuning",
     "false",
     0,
     [](const auto& i, const auto& c) { return c.window > i.window; }}, // 64 MB, not twice of 20 MB
    {"HyStart", "false", 0, IsAnotherRun},
    // RFC 9406, 4.2: the threshold is clamp(40 ms / 8, 4 ms, 16 ms) = 5 ms.
    {"HyStartMinThreshold",
     "6ms",
     0,
     [](const auto& i, const auto& c) { return i.noticesMore && !c.noticesMore; }},
    {"HyStartMaxThreshold",
     "4ms",
     0,
     [](const auto& i, const auto& c) { return !i.noticesLess && c.noticesLess; }},
    {"HyStartDivisor",
     "4",
     0,
     [](const auto& i, const auto& c) { return i.noticesMore && !c.noticesMore; }},
    {"HyStartSamples",
     "60",
     0,
     [](const auto& i, const auto& c) { return i.noticesMore && !c.noticesMore; }},
    {"HyStartGrowthDivisor", "1", 0, IsAnotherRun},
    {"HyStartRounds", "1", 0, IsAnotherRun},
    // Segments behind a gap come every 0.12 ms, and are acknowledged once in 1.1 ms. A gap lasts a
    // round trip, so that a good part of all acknowledgements is of such segments.
    {"SackCompression",
     "true",
     0.001,
     [](const auto& i, const auto& c) { return 10 * c.acks < 9 * i.acks; }},
};

INSTANTIATE_TEST_SUITE_P(Each,
                         Attribute,
                         testing::ValuesIn(attributeCases),
                         [](const auto& each)
                         { return std::string(each.param.name) + each.param.value; });

TEST(Attributes, NoneIsWithoutATestOfItsEffect)
{
    std::set<std::string> tested{"geotrain::BulkTcp::WholeBursts"}; // in whole-bursts-test.cc
    for (const Case& tried : attributeCases)
    {
        tested.insert(std::string("geotrain::BulkTcp::") + tried.name);
    }
    for (const BulkTcpAttribute& attribute : BulkTcpAttributes())
    {
        EXPECT_FALSE(attribute.help.empty()) << attribute.name;
        EXPECT_FALSE(attribute.value.empty()) << attribute.name;
        if (attribute.name.rfind("geotrain::BulkTcp::", 0) == 0)
        {
            EXPECT_EQ(tested.count(attribute.name), 1U) << attribute.name;
        }
    }
}

TEST(Attributes, ImpossibleValuesAreRefused)
{
    for (const auto& [name, value] : std::vector<std::pair<std::string, std::string>>{
             {"InitialWindow", "0"},
             {"InitialWindow", "10001"},
             {"MinRto", "-1s"},
             {"MinRto", "0s"},
             {"MinRto", "61s"},
             {"DelayedAckCount", "0"},
             {"DelayedAckTimeout", "-40ms"},
             {"DelayedAckTimeout", "2s"},
             {"HyStart", "perhaps"},
             {"HyStartDivisor", "0"},
             {"HyStartGrowthDivisor", "0"},
             {"Preset", "RENO"},
         })
    {
        EXPECT_FALSE(Config::SetDefaultFailSafe("geotrain::BulkTcp::" + name, StringValue(value)))
            << name << " = " << value;
    }
}

TEST(Attributes, ThresholdsThatCrossAreRefused)
{
    Config::SetDefault("geotrain::BulkTcp::HyStartMinThreshold", StringValue("20ms"));
    EXPECT_THROW(BulkTcp::DefaultOptions(), geotrain::ConfigError); // the maximum is 16 ms
}

TEST(Attributes, UntouchedTheyAreTheDefaults)
{
    const BulkTcpOptions made = BulkTcp::DefaultOptions();
    const BulkTcpOptions initial;
    EXPECT_EQ(made.initialWindow, initial.initialWindow);
    EXPECT_EQ(made.minRto, initial.minRto);
    EXPECT_EQ(made.delayedAckCount, initial.delayedAckCount);
    EXPECT_EQ(made.delayedAckTimeout, initial.delayedAckTimeout);
    EXPECT_EQ(made.autotuneWindow, initial.autotuneWindow);
    EXPECT_EQ(made.stockCompatible, initial.stockCompatible);
    EXPECT_EQ(made.hyStart.minThresholdNs, initial.hyStart.minThresholdNs);
    EXPECT_EQ(made.hyStart.thresholdDivisor, initial.hyStart.thresholdDivisor);
}

TEST(Attributes, OverridesComeOnTop)
{
    Config::SetDefault("geotrain::BulkTcp::MinRto", StringValue("300ms"));
    BulkTcpOptions options = BulkTcp::DefaultOptions();
    BulkTcpOverrides overrides;
    overrides.initialWindow = 4;
    overrides.hyStart = false;
    overrides.ApplyTo(options);
    EXPECT_EQ(options.minRto, Duration::Milliseconds(300));
    EXPECT_EQ(options.initialWindow, 4U);
    EXPECT_FALSE(options.hyStartPlusPlus);
    EXPECT_TRUE(options.pacing);
}

} // namespace
