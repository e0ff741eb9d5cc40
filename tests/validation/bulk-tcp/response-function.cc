// SPDX-License-Identifier: GPL-2.0-only
// Integrates the congestion window of one connection over 100 Gbit/s, which is never the limit.
#include "response-function.h"

#include "express-path-helper.h"
#include "units/random-stream.h"

#include <ns3/simulator.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>

namespace ns3
{

namespace
{

using geotrain::BitRate;
using geotrain::Bytes;
using geotrain::Duration;

/// A WindowMean integrates a congestion window over time.
class WindowMean
{
  public:
    explicit WindowMean(const BulkSender& sender)
        : m_sender(sender)
    {
        sender.State()->TraceConnectWithoutContext(
            "CongestionWindow",
            Callback<void, uint32_t, uint32_t>([this](uint32_t before, uint32_t /*after*/)
                                               { Add(before); }));
    }

    void Begin()
    {
        m_beginNs = m_lastNs = NowNs();
        m_sum = 0;
    }

    double Mean()
    {
        Add(m_sender.State()->m_cWnd.Get());
        return m_sum / static_cast<double>(NowNs() - m_beginNs);
    }

  private:
    void Add(uint32_t window)
    {
        m_sum += static_cast<double>(window) * static_cast<double>(NowNs() - m_lastNs);
        m_lastNs = NowNs();
    }

    const BulkSender& m_sender;
    std::int64_t m_beginNs = 0;
    std::int64_t m_lastNs = 0;
    double m_sum = 0;
};

/// Marker marks packets, each independently of the others.
class Marker : public PacketElement
{
  public:
    Marker(double markRate, std::uint64_t seed, PacketElement& next)
        : m_markRate(markRate),
          m_random(seed, "marker", ""),
          m_next(next)
    {
    }

    void Receive(const PacketRecord& record) override
    {
        PacketRecord marked = record;
        const bool mayMark = (record.flags & PacketRecord::EctCapable) != 0;
        if (mayMark && m_random.Uniform() < m_markRate)
        {
            marked.flags |= PacketRecord::CongestionExperienced;
            ++m_count;
        }
        m_next.Receive(marked);
    }

    std::uint64_t Count() const
    {
        return m_count;
    }

  private:
    double m_markRate;
    geotrain::RandomStream m_random;
    PacketElement& m_next;
    std::uint64_t m_count = 0;
};

/// Builds a path of one link, which loses data and no acknowledgements.
void
Build(ExpressPathHelper& path, LinkModel::Settings link, double lossRate, std::uint64_t seed)
{
    link.seed = seed;
    LinkModel::Settings back = link;
    back.name = "back";
    link.name = "forward";
    link.lossRate = lossRate;
    path.AddLink(link, back);
    path.Build();
}

/// Impairment is what happens to packets, and how often it does before and in the measurement.
struct Impairment
{
    double lossRate;
    double markRate;
    std::uint64_t before;
    std::uint64_t measured;
};

double
MeanWindow(const std::string& control,
           std::int64_t rttMs,
           const Impairment& impairment,
           std::uint64_t seed)
{
    ExpressPathHelper path;
    Marker* marker = nullptr;
    path.PutBeforeForward(
        [&](PacketElement& next)
        {
            auto made = std::make_unique<Marker>(impairment.markRate, seed, next);
            marker = made.get();
            return made;
        });
    LinkModel::Settings link;
    link.rate = BitRate::GigabitsPerSecond(100); // never the limit
    link.delay = Duration::Microseconds(rttMs * 500);
    Build(path, link, impairment.lossRate, seed);
    BulkTcpOptions options;
    options.congestionControl = control;
    options.window = Bytes::Of(2000000000);
    options.ecn = impairment.markRate > 0;
    const FlowNumber flow = path.AddFlow(options, seed);
    BulkSender& sender = path.Sender(flow);
    sender.Send(1, 1000000000000ULL);
    const auto runUntil = [&](std::uint64_t count)
    {
        while (path.Forward(0).Model().GetCounters().lostPackets + marker->Count() < count)
        {
            Simulator::Stop(MilliSeconds(100));
            Simulator::Run();
        }
    };
    runUntil(impairment.before);
    WindowMean mean(sender);
    mean.Begin();
    runUntil(impairment.before + impairment.measured);
    const double segments = mean.Mean() / options.SegmentSize();
    Simulator::Stop();
    Simulator::Destroy();
    return segments;
}

/// Returns the mean over the first `count` seeds.
double
MeanOverSeeds(const std::string& control,
              std::int64_t rttMs,
              const Impairment& impairment,
              std::uint64_t count)
{
    double sum = 0;
    for (std::uint64_t seed = 1; seed <= count; ++seed)
    {
        sum += MeanWindow(control, rttMs, impairment, seed);
    }
    return sum / static_cast<double>(count);
}

/// Returns payload bits over capacity from 3 to 13 s.
double
Goodput(const std::string& control, double lossRate, std::uint64_t seed)
{
    ExpressPathHelper path;
    LinkModel::Settings link;
    link.rate = BitRate::BitsPerSecond(100000000);
    link.delay = Duration::Milliseconds(20);
    link.queue = QueueLimit::OfBytes(link.rate.In(Duration::Milliseconds(40)));
    Build(path, link, lossRate, seed);
    BulkTcpOptions options;
    options.congestionControl = control;
    const FlowNumber flow = path.AddFlow(options, seed);
    path.Sender(flow).Send(1, 1000000000000ULL);
    Simulator::Stop(Seconds(3));
    Simulator::Run();
    const std::uint64_t before = path.Receiver(flow).GetCounters().inOrderBytes;
    Simulator::Stop(Seconds(10));
    Simulator::Run();
    const std::uint64_t after = path.Receiver(flow).GetCounters().inOrderBytes;
    Simulator::Destroy();
    return static_cast<double>(after - before) * 8 / (10 * 1e8);
}

} // namespace

double
GoodputUnderLoss(const std::string& control, double lossRate)
{
    constexpr std::uint64_t runs = 3;
    double sum = 0;
    for (std::uint64_t seed = 1; seed <= runs; ++seed)
    {
        sum += Goodput(control, lossRate, seed);
    }
    return sum / runs;
}

double
MeanWindowUnderLoss(const std::string& control, std::int64_t rttMs, double lossRate)
{
    return MeanOverSeeds(control, rttMs, {lossRate, 0, 50, 300}, 5);
}

double
MeanWindowUnderMarks(const std::string& control, std::int64_t rttMs, double markRate)
{
    return MeanOverSeeds(control, rttMs, {0, markRate, 2000, 2000}, 3);
}

double
HtcpWindow(std::int64_t rttMs, double lossRate)
{
    constexpr int rounds = 400000;
    const double rtt = static_cast<double>(rttMs) / 1000;
    std::mt19937_64 engine(1);
    const auto segmentsUntilLoss = [&]
    { return -std::log(1 - std::ldexp(static_cast<double>(engine() >> 11), -53)) / lossRate; };
    double window = 10;
    double sum = 0;
    double sinceLoss = 0; // s
    double left = segmentsUntilLoss();
    for (int round = 0; round < rounds; ++round)
    {
        sum += window;
        left -= window;
        const double late = std::max(0.0, sinceLoss - 1);
        sinceLoss += rtt;
        window += 1 + 10 * late + late * late / 4; // alpha, with 2 (1 - beta) = 1
        if (left <= 0)
        {
            window /= 2;
            sinceLoss = 0;
            left = segmentsUntilLoss();
        }
    }
    return sum / rounds;
}

double
DctcpWindow(double markRate)
{
    constexpr int segments = 4000000;
    std::mt19937_64 engine(1);
    double window = 10;
    double alpha = 1;
    double share = 0;      // marked segments of this window
    double round = window; // its segments
    double leftOfRound = round;
    double leftOfCut = 0; // segments of the round trip in which the window comes down
    double step = 0;
    double inverses = 0; // round trips, of which a segment takes 1 / window
    for (int segment = 0; segment < segments; ++segment)
    {
        inverses += segment < segments / 4 ? 0 : 1 / window;
        const bool isMarked = std::ldexp(static_cast<double>(engine() >> 11), -53) < markRate;
        share += isMarked ? 1 : 0;
        if (leftOfCut > 0)
        {
            leftOfCut -= 1;
            window -= step;
        }
        else if (isMarked)
        {
            leftOfCut = window;
            step = alpha / 2;
        }
        else
        {
            window += 1 / window;
        }
        if (--leftOfRound <= 0)
        {
            alpha += (share / round - alpha) / 16;
            share = 0;
            round = std::ceil(window);
            leftOfRound = round;
        }
    }
    return 0.75 * segments / inverses;
}

} // namespace ns3
