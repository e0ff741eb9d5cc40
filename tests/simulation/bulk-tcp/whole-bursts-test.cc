// SPDX-License-Identifier: GPL-2.0-only
// Compares transfers whose bursts are one event on each link with the same transfers packet by packet.
#include "bulk-tcp/model/bulk-tcp-attributes.h"
#include "express-path-helper.h"

#include <gtest/gtest.h>

#include <ns3/config.h>
#include <ns3/simulator.h>
#include <ns3/string.h>

#include <cmath>

namespace
{

using namespace ns3;
using geotrain::BitRate;
using geotrain::Bytes;
using geotrain::Duration;

/// A Way is three links, of which the middle one is the slowest, and what goes over it.
struct Way
{
    double gigabits = 10;
    std::int64_t delayMs = 10; ///< of the middle link
    double queueInProducts = 1;
    double loss = 0;
    int flows = 1;
    TcpPreset preset = TcpPreset::LinuxFq;
    const char* control = "geotrain::TcpCubic";
};

struct Outcome
{
    double seconds = 0;
    std::uint64_t retransmitted = 0; ///< packets, of all flows
    std::uint64_t acks = 0;
    std::uint64_t events = 0;
};

constexpr std::uint64_t messageBytes = 50000000; ///< of each flow

Outcome
Transfer(const Way& way, bool wholeBursts)
{
    UseHeapSimulator();
    ExpressPathHelper path;
    LinkModel::Settings nic;
    nic.rate = BitRate::GigabitsPerSecond(100);
    nic.delay = Duration::Microseconds(5);
    LinkModel::Settings middle;
    middle.rate = BitRate::BitsPerSecond(static_cast<std::int64_t>(way.gigabits * 1e9));
    middle.delay = Duration::Milliseconds(way.delayMs);
    middle.lossRate = way.loss;
    middle.queue = QueueLimit::OfBytes(Bytes::Of(static_cast<std::int64_t>(
        way.queueInProducts * way.gigabits * 1e9 / 8 * 2e-3 * static_cast<double>(way.delayMs))));
    const auto add = [&path](LinkModel::Settings link, const char* name)
    {
        link.name = name;
        path.AddLink(link);
    };
    add(nic, "nic");
    add(middle, "middle");
    add(nic, "port");
    path.Build();
    BulkTcpOptions options = BulkTcpOptions::Of(way.preset);
    options.congestionControl = way.control;
    options.wholeBursts = wholeBursts;
    for (int i = 0; i < way.flows; ++i)
    {
        const FlowNumber flow = path.AddFlow(options);
        path.Sender(flow).Send(flow, messageBytes);
    }
    Simulator::Run();
    path.CheckConservation();
    Outcome outcome;
    outcome.seconds = static_cast<double>(path.Log().drainedNs) / 1e9;
    for (int i = 0; i < way.flows; ++i)
    {
        const auto flow = static_cast<FlowNumber>(i);
        outcome.retransmitted += path.Sender(flow).GetCounters().retransmittedPackets;
        outcome.acks += path.Receiver(flow).GetCounters().acks;
    }
    outcome.events = Simulator::GetEventCount();
    Simulator::Destroy();
    return outcome;
}

/// A flow that has its way for itself fares as packet by packet: as many losses and acknowledgements, and
/// the same time but for the fractions of a nanosecond in the gaps of a burst.
TEST(WholeBursts, ALoneFlowFaresAsPacketByPacket)
{
    for (const Way& way : {Way{},
                           Way{10, 10, 0.3},
                           Way{10, 10, 1, 1e-4},
                           Way{1, 20, 0.5},
                           Way{40, 2, 1, 1e-5, 1, TcpPreset::Linux},
                           Way{2.5, 30, 2, 1e-4, 1, TcpPreset::LinuxFq, "geotrain::TcpBbr3"},
                           Way{5, 5, 0.5, 0, 1, TcpPreset::Linux, "ns3::TcpLinuxReno"}})
    {
        const Outcome whole = Transfer(way, true);
        const Outcome single = Transfer(way, false);
        EXPECT_EQ(whole.retransmitted, single.retransmitted) << way.gigabits;
        EXPECT_NEAR(whole.seconds, single.seconds, 1e-4 * single.seconds) << way.gigabits;
        EXPECT_NEAR(static_cast<double>(whole.acks),
                    static_cast<double>(single.acks),
                    0.001 * static_cast<double>(single.acks))
            << way.gigabits;
    }
}

/// Flows that meet are sent burst by burst, so that single losses fall otherwise. 2 %: their time is that
/// of the link's rate, and of what the last flow's window leaves of it in the end.
TEST(WholeBursts, FlowsThatMeetTakeAsLong)
{
    for (const Way& way : {Way{10, 10, 1, 0, 8}, Way{10, 10, 0.5, 0, 4, TcpPreset::Linux}})
    {
        const double single = Transfer(way, false).seconds;
        EXPECT_NEAR(Transfer(way, true).seconds, single, 0.02 * single) << way.flows;
    }
}

/// Packet by packet each of 45 packets is an event on each of three links. The attribute says which.
TEST(WholeBursts, SaveEvents)
{
    EXPECT_TRUE(BulkTcp::DefaultOptions().wholeBursts);
    EXPECT_LT(10 * Transfer({}, true).events, Transfer({}, false).events);
    Config::SetDefault("geotrain::BulkTcp::WholeBursts", StringValue("false"));
    EXPECT_FALSE(BulkTcp::DefaultOptions().wholeBursts);
    Config::Reset();
}

} // namespace
