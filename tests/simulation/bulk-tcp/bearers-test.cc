// SPDX-License-Identifier: GPL-2.0-only
// The two bearers of bulk-tcp carry the same job in the same time: they share engine, LinkModel and
// the named stream of losses, and a connection's packets come to the link in the same order.
#include "device-path-helper.h"

#include <gtest/gtest.h>

#include <ns3/simulator.h>

#include <functional>
#include <string>
#include <tuple>
#include <vector>

namespace
{

using namespace ns3;
using geotrain::BitRate;
using geotrain::BurstLossSettings;
using geotrain::Bytes;
using geotrain::CoDelSettings;
using geotrain::Duration;
using geotrain::JitterSettings;
using geotrain::PolicerSettings;
using geotrain::RedSettings;
using geotrain::WanQueueSize;

struct Outcome
{
    std::int64_t deliveredNs = 0;
    std::uint64_t dataPackets = 0;
    std::uint64_t retransmittedPackets = 0;
    std::uint64_t lostPackets = 0;
    LinkModel::Counters link; ///< counters of the data's direction
};

LinkModel::Settings
Link(std::int64_t rateMbps, std::int64_t rttMs, double lossRate, std::uint64_t seed)
{
    LinkModel::Settings link;
    link.rate = BitRate::BitsPerSecond(rateMbps * 1000000);
    link.delay = Duration::Microseconds(rttMs * 500);
    link.queue = QueueLimit::OfBytes(Bytes::Of(rateMbps * rttMs * 125)); // 1 BDP
    link.lossRate = lossRate;
    link.seed = seed;
    link.name = "link";
    return link;
}

/// Adds a link that impairs packets only in the data's direction.
template <typename Path>
void
AddLinks(Path& path, const LinkModel::Settings& link)
{
    LinkModel::Settings back;
    back.rate = link.rate;
    back.delay = link.delay;
    back.queue = link.queue;
    back.seed = link.seed;
    back.name = link.name;
    path.AddLink(link, back);
}

Outcome
OverExpress(const BulkTcpOptions& options, const LinkModel::Settings& link, std::uint64_t size)
{
    ExpressPathHelper path;
    AddLinks(path, link);
    path.Build();
    path.AddFlow(options);
    path.Sender(0).Send(1, size);
    Simulator::Stop(Seconds(1000));
    Simulator::Run();
    path.CheckConservation();
    const BulkSender::Counters& counters = path.Sender(0).GetCounters();
    const Outcome outcome{path.Log().deliveredNs.at(0),
                          counters.dataPackets,
                          counters.retransmittedPackets,
                          path.Forward(0).Model().GetCounters().lostPackets,
                          path.Forward(0).Model().GetCounters()};
    Simulator::Destroy();
    return outcome;
}

/// Runs the transfer over devices without queue discs.
Outcome
OverDevices(const BulkTcpOptions& options, const LinkModel::Settings& link, std::uint64_t size)
{
    DevicePathHelper path;
    AddLinks(path, link);
    path.Build(options.mtu);
    path.AddFlow(options);
    path.Send(0, 1, size);
    Simulator::Stop(Seconds(1000));
    Simulator::Run();
    path.CheckConservation();
    const BulkSender::Counters& counters = path.Sender(0).Sender()->GetCounters();
    const Outcome outcome{path.Log().deliveredNs.at(0),
                          counters.dataPackets,
                          counters.retransmittedPackets,
                          path.Forward(0)->GetLink().GetCounters().lostPackets,
                          path.Forward(0)->GetLink().GetCounters()};
    Simulator::Destroy();
    return outcome;
}

BulkTcpOptions
Options(const std::string& control, std::int64_t mtu)
{
    BulkTcpOptions options;
    options.congestionControl = control;
    options.mtu = Bytes::Of(mtu);
    options.window = Bytes::Of(4000000);
    return options;
}

void
ExpectWithin(double share, const Outcome& device, const Outcome& express)
{
    EXPECT_NEAR(static_cast<double>(device.deliveredNs),
                static_cast<double>(express.deliveredNs),
                share * static_cast<double>(express.deliveredNs));
}

class Bearers : public testing::TestWithParam<int>
{
};

TEST_P(Bearers, DrawTheSameLossesFromOneNamedStream)
{
    const BulkTcpOptions options = Options("TcpCubic", 1500);
    const LinkModel::Settings link = Link(200, 20, 0.001, static_cast<std::uint64_t>(GetParam()));
    const Outcome express = OverExpress(options, link, 20000000);
    const Outcome device = OverDevices(options, link, 20000000);
    EXPECT_GT(express.lostPackets, 0U);
    EXPECT_EQ(device.lostPackets, express.lostPackets);
    EXPECT_EQ(device.retransmittedPackets, express.retransmittedPackets);
    ExpectWithin(0.01, device, express); // what is asked of them
}

INSTANTIATE_TEST_SUITE_P(Seeds, Bearers, testing::Range(1, 11));

using LossFree = std::tuple<std::string, int, int>; ///< control, RTT in ms, MTU

class LossFreeBearers : public testing::TestWithParam<LossFree>
{
};

TEST_P(LossFreeBearers, TakeTheSameTime)
{
    const auto& [control, rttMs, mtu] = GetParam();
    const BulkTcpOptions options = Options(control, mtu);
    const LinkModel::Settings link = Link(500, rttMs, 0, 1);
    const Outcome express = OverExpress(options, link, 20000000);
    const Outcome device = OverDevices(options, link, 20000000);
    EXPECT_EQ(device.dataPackets, express.dataPackets);
    ExpectWithin(0.001, device, express); // 4 bytes of MSS option a SYN, and windows of 64 B grain
}

INSTANTIATE_TEST_SUITE_P(
    Controls,
    LossFreeBearers,
    testing::Combine(testing::Values("TcpNewReno", "TcpCubic", "TcpBbr", "TcpDctcp"),
                     testing::Values(2, 40),
                     testing::Values(1500, 9000)),
    [](const testing::TestParamInfo<LossFree>& parameter)
    {
        return std::get<0>(parameter.param) + "Rtt" + std::to_string(std::get<1>(parameter.param)) +
               "Mtu" + std::to_string(std::get<2>(parameter.param));
    });

/// An Impairment is something that a link does to packets, with the counter that shows it.
struct Impairment
{
    const char* name;
    const char* control;
    std::function<void(LinkModel::Settings&)> put;
    std::function<std::uint64_t(const Outcome&)> effect;
    /// Share of the packets by which the bearers may differ. Where a queue or a policer's bucket is
    /// full, a few bytes more in the acknowledgements of the device bearer decide which packets find
    /// room.
    double slack = 0;
};

void
PrintTo(const Impairment& impairment, std::ostream* stream)
{
    *stream << impairment.name;
}

void
PutRed(LinkModel::Settings& link)
{
    link.red = RedSettings{WanQueueSize::OfBytes(Bytes::Of(50000)),
                           WanQueueSize::OfBytes(Bytes::Of(150000))};
}

void
PutJitter(LinkModel::Settings& link, bool reorders)
{
    link.jitter = JitterSettings{JitterSettings::Distribution::Normal,
                                 Duration::Microseconds(200),
                                 Duration::Microseconds(200),
                                 reorders};
}

std::uint64_t
Lost(const Outcome& outcome)
{
    return outcome.link.lostPackets;
}

std::uint64_t
Dropped(const Outcome& outcome)
{
    return outcome.link.queueDrops;
}

std::uint64_t
Marked(const Outcome& outcome)
{
    return outcome.link.markedPackets;
}

std::uint64_t
Any(const Outcome& outcome)
{
    return outcome.dataPackets;
}

const std::vector<Impairment> impairments{
    {"Red", "TcpCubic", PutRed, Dropped},
    {"RedMarks", "TcpDctcp", PutRed, Marked},
    {"CoDel",
     "TcpCubic",
     [](LinkModel::Settings& link) {
         link.coDel = CoDelSettings{Duration::Milliseconds(1), Duration::Milliseconds(20)};
     },
     Dropped},
    {"CoDelMarks",
     "TcpDctcp",
     [](LinkModel::Settings& link) {
         link.coDel = CoDelSettings{Duration::Milliseconds(1), Duration::Milliseconds(20)};
     },
     Marked},
    {"Policer",
     "TcpCubic",
     [](LinkModel::Settings& link) {
         link.policer = PolicerSettings{BitRate::BitsPerSecond(100000000), Bytes::Of(100000)};
     },
     Dropped,
     0.001},
    {"BurstLoss",
     "TcpCubic",
     [](LinkModel::Settings& link) {
         link.burstLoss = BurstLossSettings{0.0005, 0.3, 1};
     },
     Lost},
    {"Jitter", "TcpCubic", [](LinkModel::Settings& link) { PutJitter(link, false); }, Any},
    // In TcpCubic's run the reordering timer and an acknowledgement come within a nanosecond, in an
    // order that differs.
    {"Reordering", "TcpLinuxReno", [](LinkModel::Settings& link) { PutJitter(link, true); }, Any},
    {"Duplication",
     "TcpCubic",
     [](LinkModel::Settings& link) { link.duplication = 0.01; },
     [](const Outcome& outcome) { return outcome.link.duplicatedPackets; },
     0.001},
    {"RateSteps",
     "TcpCubic",
     [](LinkModel::Settings& link)
     {
         link.rates.steps = {{Duration::Milliseconds(200), BitRate::BitsPerSecond(50000000)},
                             {Duration::Milliseconds(700), BitRate::BitsPerSecond(400000000)}};
     },
     Any,
     0.001},
    {"Outage",
     "TcpCubic",
     [](LinkModel::Settings& link) {
         link.outages = {{Duration::Milliseconds(300), Duration::Milliseconds(500), false}};
     },
     Lost},
    {"HeldOutage",
     "TcpCubic",
     [](LinkModel::Settings& link) {
         link.outages = {{Duration::Milliseconds(300), Duration::Milliseconds(350), true}};
     },
     Any},
};

class ImpairedBearers : public testing::TestWithParam<Impairment>
{
};

TEST_P(ImpairedBearers, DoTheSameToTheSamePackets)
{
    const BulkTcpOptions options = Options(GetParam().control, 1500);
    LinkModel::Settings link = Link(200, 20, 0, 7);
    GetParam().put(link);
    const Outcome express = OverExpress(options, link, 20000000);
    const Outcome device = OverDevices(options, link, 20000000);
    EXPECT_GT(GetParam().effect(express), 0U);
    const auto slack =
        static_cast<std::uint64_t>(GetParam().slack * static_cast<double>(express.dataPackets));
    const auto distance = [](std::uint64_t a, std::uint64_t b) { return a > b ? a - b : b - a; };
    EXPECT_LE(distance(GetParam().effect(device), GetParam().effect(express)), slack);
    EXPECT_LE(distance(device.retransmittedPackets, express.retransmittedPackets), slack);
    ExpectWithin(0.01, device, express);
}

TEST_P(ImpairedBearers, TakeLongerThanOverAPlainLinkUnlessNothingIsMissing)
{
    const BulkTcpOptions options = Options(GetParam().control, 1500);
    LinkModel::Settings link = Link(200, 20, 0, 7);
    const Outcome plain = OverExpress(options, link, 20000000);
    GetParam().put(link);
    const Outcome impaired = OverExpress(options, link, 20000000);
    if (std::string(GetParam().name) == "Duplication")
    {
        // The network's copies are no sign of reordering. They make acknowledgements come earlier,
        // which moves the end of slow start a little.
        const auto plainNs = static_cast<double>(plain.deliveredNs);
        EXPECT_NEAR(static_cast<double>(impaired.deliveredNs), plainNs, 0.03 * plainNs);
        return;
    }
    // With reordering nothing is missing, and the last packet may come by its jitter, of 0.2 ms, earlier.
    const std::int64_t earlier = std::string(GetParam().name) == "Reordering" ? 200000 : 0;
    EXPECT_GT(impaired.deliveredNs + earlier, plain.deliveredNs);
}

INSTANTIATE_TEST_SUITE_P(Each,
                         ImpairedBearers,
                         testing::ValuesIn(impairments),
                         [](const testing::TestParamInfo<Impairment>& parameter)
                         { return std::string(parameter.param.name); });

} // namespace
