// SPDX-License-Identifier: GPL-2.0-only
// Holds what a live WAN does to UDP against what its link says: delays, jitter, bursts of losses,
// steps of the rate, outages and marks. A run that did not keep up, by its own report, is made once
// more; where it doesn't keep up again, the test is skipped.
#include "live-lab.h"
#include "live-sockets.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <netinet/ip.h>
#include <netinet/ip_icmp.h>
#include <numeric>

namespace ns3
{
namespace
{

using geotrain::BitRate;
using geotrain::Bytes;
using geotrain::Duration;

constexpr std::size_t MOST_PROBES = 8192;
constexpr double NS_PER_MS = 1e6;

/// A Probe is one UDP packet. Times are of CLOCK_REALTIME; 0: it did not come.
struct Probe
{
    std::int64_t sentNs;
    std::int64_t receivedNs; ///< by the kernel
    bool isMarked;           ///< congestion experienced
};

/// Probes are all of a run, in the order of sending.
struct Probes
{
    std::array<Probe, MOST_PROBES> of;
    std::int64_t roundTripNs[MOST_PROBES]; ///< of each ping
    std::uint64_t unread;                  ///< packets for which the receiver's socket had no room
};

/// Offer says what is sent.
struct Offer
{
    std::size_t count = 1000;
    std::int64_t intervalNs = 1000000;
    std::size_t payload = 100; ///< bytes
    bool isEcnCapable = false;
};

void
SendProbes(Probes& probes, const Offer& offer)
{
    const int descriptor = LiveUdpSocket(0, 1000);
    const int tos = offer.isEcnCapable ? IPTOS_ECN_ECT0 : 0;
    setsockopt(descriptor, IPPROTO_IP, IP_TOS, &tos, sizeof tos);
    std::vector<char> bytes(offer.payload);
    std::int64_t due = LiveClockNs();
    for (std::uint32_t number = 0; number < offer.count; ++number)
    {
        const timespec wake = {due / 1000000000, due % 1000000000};
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &wake, nullptr);
        std::copy_n(reinterpret_cast<const char*>(&number), sizeof number, bytes.data());
        probes.of[number].sentNs = LiveClockNs(CLOCK_REALTIME);
        LiveSendTo(descriptor, 1, bytes.data(), bytes.size());
        due += offer.intervalNs;
    }
}

/// Received is a packet and what the kernel says of it.
struct Received
{
    std::array<char, 2048> bytes = {};
    std::int64_t atNs = 0; ///< CLOCK_REALTIME
    bool isMarked = false; ///< congestion experienced
};

/// Waits for one packet, for as long as the socket's patience lasts.
std::optional<Received>
Receive(int descriptor)
{
    Received received;
    alignas(cmsghdr) std::array<char, 256> control;
    iovec piece = {received.bytes.data(), received.bytes.size()};
    msghdr message = {};
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    if (recvmsg(descriptor, &message, 0) <= 0)
    {
        return std::nullopt;
    }
    for (cmsghdr* part = CMSG_FIRSTHDR(&message); part; part = CMSG_NXTHDR(&message, part))
    {
        if (part->cmsg_level == SOL_SOCKET && part->cmsg_type == SO_TIMESTAMPNS)
        {
            const auto& time = *reinterpret_cast<const timespec*>(CMSG_DATA(part));
            received.atNs = std::int64_t(time.tv_sec) * 1000000000 + time.tv_nsec;
        }
        else if (part->cmsg_level == IPPROTO_IP && part->cmsg_type == IP_TOS)
        {
            received.isMarked = (*CMSG_DATA(part) & IPTOS_ECN_MASK) == IPTOS_ECN_CE;
        }
    }
    return received;
}

void
ReceiveProbes(Probes& probes)
{
    const int descriptor = LiveUdpSocket(1, 5000); // until the WAN carries frames
    const int on = 1;
    setsockopt(descriptor, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
    setsockopt(descriptor, IPPROTO_IP, IP_RECVTOS, &on, sizeof on);
    while (const auto received = Receive(descriptor))
    {
        std::uint32_t number = 0;
        std::copy_n(received->bytes.data(), sizeof number, reinterpret_cast<char*>(&number));
        probes.of[number].receivedNs = received->atNs;
        probes.of[number].isMarked = received->isMarked;
        const timeval patience = {0, 600000}; // no outage of a test takes longer
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    }
    probes.unread = LiveUdpDrops();
}

/// Returns the checksum of an ICMP message (RFC 1071).
std::uint16_t
IcmpChecksum(const icmphdr& header)
{
    std::array<std::uint16_t, sizeof(icmphdr) / 2> words = {};
    std::memcpy(words.data(), &header, sizeof header);
    const std::uint32_t sum = std::accumulate(words.begin(), words.end(), std::uint32_t(0));
    return static_cast<std::uint16_t>(~(sum + (sum >> 16)));
}

/// Asks the kernel of node 1 for an echo at a time, as ping does. A reply's time is the kernel's, so
/// that no program has to wake up for it.
void
Ping(Probes& probes, const Offer& offer)
{
    const int descriptor = socket(AF_INET, SOCK_RAW, IPPROTO_ICMP);
    const timeval patience = {1, 0};
    const int on = 1;
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(descriptor, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
    for (std::uint32_t number = 0; number < offer.count; ++number)
    {
        icmphdr request = {};
        request.type = ICMP_ECHO;
        request.un.echo.sequence = htons(static_cast<std::uint16_t>(number));
        request.checksum = IcmpChecksum(request);
        const std::int64_t begin = LiveClockNs(CLOCK_REALTIME);
        LiveSendTo(descriptor, 1, &request, sizeof request);
        const auto reply = Receive(descriptor);
        if (!reply)
        {
            return;
        }
        icmphdr answer = {};
        std::memcpy(&answer, reply->bytes.data() + sizeof(iphdr), sizeof answer);
        if (answer.type == ICMP_ECHOREPLY && answer.un.echo.sequence == request.un.echo.sequence)
        {
            probes.roundTripNs[number] = reply->atNs - begin;
        }
    }
}

class LiveAccuracy : public testing::Test
{
  protected:
    /// Carries the offer over `topology`, once more where the WAN says that 1 % of its departures were
    /// later than `tolerableNs`; of pings, which depart twice, half a per cent. Returns why there is
    /// nothing to check; empty where there is.
    std::string Carry(const geotrain::WanTopology& topology,
                      const Offer& offer,
                      bool pings = false,
                      std::int64_t tolerableNs = 1000000)
    {
        for (int attempt = 0; attempt < 2; ++attempt)
        {
            *m_probes = {};
            *m_report = {};
            std::vector<LiveProgram> programs = {
                {0, [&] { Ping(*m_probes, offer); }, Urgency::Executor}};
            if (!pings)
            {
                programs = {{0, [&] { SendProbes(*m_probes, offer); }, Urgency::Executor},
                            {1, [&] { ReceiveProbes(*m_probes); }, Urgency::Executor}};
            }
            if (!RunLive(topology, programs, *m_report))
            {
                return "the kernel allows no namespaces here";
            }
            const bool pingsKeptUp =
                !pings || m_report->lateness.PercentileNs(0.995) <= tolerableNs;
            if (m_report->KeptUp(tolerableNs) && pingsKeptUp && m_probes->unread == 0)
            {
                m_sent.assign(m_probes->of.begin(),
                              m_probes->of.begin() + std::ptrdiff_t(offer.count));
                return "";
            }
        }
        return "the live WAN, or a receiver, did not keep up, twice";
    }

    /// Returns the one-way delays in milliseconds, in rising order.
    std::vector<double> Delays() const
    {
        std::vector<double> delays;
        for (const Probe& probe : m_sent)
        {
            if (probe.receivedNs > 0)
            {
                delays.push_back(static_cast<double>(probe.receivedNs - probe.sentNs) / NS_PER_MS);
            }
        }
        std::sort(delays.begin(), delays.end());
        return delays;
    }

    /// Returns how many probes came from `begin` to `end`, seconds after the first was sent.
    std::size_t CameBetween(double begin, double end) const
    {
        const auto first = static_cast<double>(m_sent.front().sentNs);
        return static_cast<std::size_t>(std::count_if(
            m_sent.begin(),
            m_sent.end(),
            [&](const Probe& probe)
            {
                const double at = (static_cast<double>(probe.receivedNs) - first) * 1e-9;
                return probe.receivedNs > 0 && at >= begin && at < end;
            }));
    }

    std::size_t Marks() const
    {
        return static_cast<std::size_t>(std::count_if(
            m_sent.begin(), m_sent.end(), [](const Probe& probe) { return probe.isMarked; }));
    }

    Shared<Probes> m_probes;
    Shared<LiveWanReport> m_report;
    std::vector<Probe> m_sent;
};

double
At(const std::vector<double>& sorted, double share)
{
    return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
}

geotrain::WanTopology
FastPath(std::int64_t delayMs)
{
    return LiveTwoNodes(BitRate::GigabitsPerSecond(1), Duration::Milliseconds(delayMs));
}

TEST_F(LiveAccuracy, RoundTripsAreTwiceTheDelayWithinHalfAMillisecond)
{
    Offer offer;
    offer.count = 500;
    // Both departures of a round trip are late, by a quarter of a millisecond each at most.
    if (const auto reason = Carry(FastPath(2), offer, true, 250000); !reason.empty())
    {
        GTEST_SKIP() << reason;
    }
    std::vector<double> times;
    for (std::size_t i = 0; i < offer.count; ++i)
    {
        times.push_back(static_cast<double>(m_probes->roundTripNs[i]) / NS_PER_MS);
    }
    std::sort(times.begin(), times.end());
    EXPECT_GE(times.front(), 4);
    EXPECT_LE(At(times, 0.99), 4.5) << m_report->lateness.PercentileNs(0.99);
}

TEST_F(LiveAccuracy, OneWayDelaysAreTheLinksWithinHalfAMillisecond)
{
    // The departure is late by a quarter of a millisecond at most; the rest is the kernel's.
    if (const auto reason = Carry(FastPath(20), {}, false, 250000); !reason.empty())
    {
        GTEST_SKIP() << reason;
    }
    const auto delays = Delays();
    ASSERT_EQ(delays.size(), 1000U);
    EXPECT_GE(delays.front(), 20);
    EXPECT_LE(At(delays, 0.99), 20.5);
}

/// Returns the greatest distance between the distribution of `sorted` and `cumulative`: the statistic
/// of Kolmogorov and Smirnov.
double
KolmogorovDistance(const std::vector<double>& sorted,
                   const std::function<double(double)>& cumulative)
{
    double distance = 0;
    const auto count = static_cast<double>(sorted.size());
    for (std::size_t i = 0; i < sorted.size(); ++i)
    {
        const double expected = cumulative(sorted[i]);
        distance = std::max({distance,
                             std::abs(expected - static_cast<double>(i) / count),
                             std::abs(expected - static_cast<double>(i + 1) / count)});
    }
    return distance;
}

/// Adds to the test's bound that all packets are later by what the WAN and the machine need, 0.1 ms at
/// the median, times the greatest density of the distribution.
constexpr double MACHINE_MS = 0.15;

TEST_F(LiveAccuracy, JitterHasItsUniformDistribution)
{
    auto topology = FastPath(10);
    topology.links[0].jitter =
        geotrain::JitterSettings{geotrain::JitterSettings::Distribution::Uniform,
                                 Duration::Milliseconds(10),
                                 Duration::Milliseconds(8),
                                 true};
    if (const auto reason = Carry(topology, {}); !reason.empty())
    {
        GTEST_SKIP() << reason;
    }
    const auto delays = Delays(); // 10 + [2, 18] ms
    ASSERT_EQ(delays.size(), 1000U);
    const double distance =
        KolmogorovDistance(delays, [](double ms) { return std::clamp((ms - 12) / 16, 0.0, 1.0); });
    EXPECT_LE(distance, 1.95 / std::sqrt(1000) + MACHINE_MS / 16); // 0.1 % of samples lie outside
}

TEST_F(LiveAccuracy, JitterHasItsNormalDistribution)
{
    auto topology = FastPath(10);
    topology.links[0].jitter =
        geotrain::JitterSettings{geotrain::JitterSettings::Distribution::Normal,
                                 Duration::Milliseconds(20),
                                 Duration::Milliseconds(4),
                                 true};
    if (const auto reason = Carry(topology, {}); !reason.empty())
    {
        GTEST_SKIP() << reason;
    }
    const auto delays = Delays();
    ASSERT_EQ(delays.size(), 1000U);
    const double distance = KolmogorovDistance(
        delays, [](double ms) { return 0.5 * std::erfc(-(ms - 30) / (4 * std::sqrt(2))); });
    EXPECT_LE(distance, 1.95 / std::sqrt(1000) + MACHINE_MS * 0.4 / 4);
}

TEST_F(LiveAccuracy, LossesComeInBursts)
{
    auto topology = FastPath(1);
    topology.links[0].burstLoss = geotrain::BurstLossSettings{0.01, 0.2, 1};
    Offer offer;
    offer.count = 6000;
    offer.intervalNs = 200000;
    if (const auto reason = Carry(topology, offer); !reason.empty())
    {
        GTEST_SKIP() << reason;
    }
    double lost = 0;
    double bursts = 0;
    bool wasLost = false;
    for (const Probe& probe : m_sent)
    {
        const bool isLost = probe.receivedNs == 0;
        lost += isLost ? 1 : 0;
        bursts += isLost && !wasLost ? 1 : 0;
        wasLost = isLost;
    }
    ASSERT_GT(bursts, 20);
    // A burst has a geometric number of packets with mean 1/0.2 and deviation sqrt(1 - 0.2)/0.2;
    // independent losses of the same rate would give 1.05.
    EXPECT_NEAR(lost / bursts, 5, 4 * std::sqrt(0.8) / 0.2 / std::sqrt(bursts));
}

TEST_F(LiveAccuracy, TheRateSteps)
{
    auto topology = LiveTwoNodes(BitRate::BitsPerSecond(16000000), Duration::Milliseconds(5));
    topology.links[0].queue = geotrain::WanQueueSize::OfBytes(Bytes::Of(20000));
    topology.links[0].rates.steps = {
        {Duration::Milliseconds(1000), BitRate::BitsPerSecond(4000000)}};
    Offer offer; // 24 Mbit/s for 2 s
    offer.payload = 972;
    offer.count = 6000;
    offer.intervalNs = 333333;
    if (const auto reason = Carry(topology, offer); !reason.empty())
    {
        GTEST_SKIP() << reason;
    }
    // Packets of 1,000 bytes: 2,000 a second, then 500. 1 %, and a packet at each end.
    EXPECT_NEAR(static_cast<double>(CameBetween(0.2, 0.9)), 1400, 16);
    EXPECT_NEAR(static_cast<double>(CameBetween(1.2, 1.9)), 350, 6);
}

TEST_F(LiveAccuracy, AnOutageLetsNothingThrough)
{
    auto topology = FastPath(5);
    topology.links[0].outages = {{Duration::Milliseconds(500), Duration::Milliseconds(900), false}};
    Offer offer;
    offer.count = 1500;
    if (const auto reason = Carry(topology, offer); !reason.empty())
    {
        GTEST_SKIP() << reason;
    }
    std::int64_t longestGap = 0;
    std::int64_t last = 0;
    for (const Probe& probe : m_sent)
    {
        if (probe.receivedNs > 0)
        {
            longestGap = std::max(longestGap, last > 0 ? probe.receivedNs - last : 0);
            last = probe.receivedNs;
        }
    }
    // One interval more or less, and the WAN's lateness.
    EXPECT_NEAR(static_cast<double>(longestGap) / NS_PER_MS, 400, 3);
}

TEST_F(LiveAccuracy, RedAndCoDelMarkWhatIsEcnCapable)
{
    Offer offer; // 24 Mbit/s of 16
    offer.payload = 972;
    offer.count = 3000;
    offer.intervalNs = 333333;
    offer.isEcnCapable = true;
    auto topology = LiveTwoNodes(BitRate::BitsPerSecond(16000000), Duration::Milliseconds(5));
    topology.links[0].queue = geotrain::WanQueueSize::OfBytes(Bytes::Of(100000));
    const auto plain = topology;
    auto red = topology;
    red.links[0].red = geotrain::RedSettings();
    auto coDel = topology;
    coDel.links[0].coDel = geotrain::CoDelSettings();
    for (const auto& [path, marks] : {std::pair(plain, false), {red, true}, {coDel, true}})
    {
        if (const auto reason = Carry(path, offer); !reason.empty())
        {
            GTEST_SKIP() << reason;
        }
        EXPECT_EQ(Marks() > 0, marks);
    }
}

} // namespace
} // namespace ns3
