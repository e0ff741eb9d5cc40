// SPDX-License-Identifier: GPL-2.0-only
// Checks the mean window of one connection against the rate of random loss: after the first 50
// losses, over 300 losses and 5 seeds, in segments of 1,448 bytes. The tolerance is 30 %, since the
// formulas are for periodic loss and leave out delayed acknowledgements and recovery.
#include "bulk-tcp/helper/express-path-helper.h"

#include <gtest/gtest.h>

#include <ns3/simulator.h>

#include <cmath>
#include <string>
#include <vector>

namespace
{

using namespace ns3;
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

double
MeanWindow(const std::string& control, std::int64_t rttMs, double lossRate, std::uint64_t seed)
{
    ExpressPathHelper path;
    LinkModel::Settings link;
    link.rate = BitRate::GigabitsPerSecond(100); // never the limit
    link.delay = Duration::Microseconds(rttMs * 500);
    link.name = "forward";
    link.seed = seed;
    link.lossRate = lossRate;
    LinkModel::Settings back = link;
    back.lossRate = 0;
    back.name = "back";
    path.AddLink(link, back);
    path.Build();
    BulkTcpOptions options;
    options.congestionControl = control;
    options.window = Bytes::Of(2000000000);
    const FlowNumber flow = path.AddFlow(options, seed);
    BulkSender& sender = path.Sender(flow);
    sender.Send(1, 1000000000000ULL);
    const auto runUntilLosses = [&](std::uint64_t losses)
    {
        while (path.Forward(0).Model().GetCounters().lostPackets < losses)
        {
            Simulator::Stop(MilliSeconds(100));
            Simulator::Run();
        }
    };
    runUntilLosses(50);
    WindowMean mean(sender);
    mean.Begin();
    runUntilLosses(350);
    const double segments = mean.Mean() / options.SegmentSize();
    Simulator::Stop();
    Simulator::Destroy();
    return segments;
}

double
MeanOverSeeds(const std::string& control, std::int64_t rttMs, double lossRate)
{
    double sum = 0;
    for (std::uint64_t seed = 1; seed <= 5; ++seed)
    {
        sum += MeanWindow(control, rttMs, lossRate, seed);
    }
    return sum / 5;
}

struct Row
{
    double lossRate;
    double segments;
};

void
ExpectRows(const std::string& control, std::int64_t rttMs, const std::vector<Row>& rows)
{
    for (const Row& row : rows)
    {
        EXPECT_NEAR(MeanOverSeeds(control, rttMs, row.lossRate), row.segments, 0.3 * row.segments)
            << "at a loss rate of " << row.lossRate;
    }
}

TEST(ResponseFunction, LinuxRenoFollowsRfc9438)
{
    ExpectRows(
        "TcpLinuxReno", 100, {{1e-3, 38}, {1e-4, 120}, {1e-5, 379}}); // RFC 9438, table 1, Reno
}

TEST(ResponseFunction, CubicFollowsRfc9438)
{
    ExpectRows(
        "TcpCubic", 100, {{1e-3, 38}, {1e-4, 187}, {1e-5, 1054}}); // RFC 9438, table 1, C = 0.4
}

TEST(ResponseFunction, NewRenoFollowsItsFormulaForDelayedAcknowledgements)
{
    // sqrt(3/(4p)): one segment every other round trip (Mathis et al., CCR 27(3), 1997, with b =
    // 2).
    ExpectRows(
        "TcpNewReno",
        100,
        {{1e-3, std::sqrt(3 / 4e-3)}, {1e-4, std::sqrt(3 / 4e-4)}, {1e-5, std::sqrt(3 / 4e-5)}});
}

TEST(ResponseFunction, CubicAtAShortRoundTripIsPureCubic)
{
    // RFC 9438, section 5.1, equation 5, with C = 0.4 and beta = 0.7: (C (3 + beta) / (4 (1 -
    // beta)))^(1/4) RTT^(3/4) / p^(3/4). The RFC itself expects Reno's window here, 120 and 379
    // segments: 3.37 has no Reno-friendly region.
    const auto window = [](double lossRate)
    { return std::pow(0.4 * 3.7 / 1.2, 0.25) * std::pow(0.01 / lossRate, 0.75); };
    ExpectRows("TcpCubic", 10, {{1e-4, window(1e-4)}, {1e-5, window(1e-5)}});
}

} // namespace
