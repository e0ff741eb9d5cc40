// SPDX-License-Identifier: GPL-2.0-only
// What each attribute of geotrain::TcpBbr3 does, by number: one row per attribute, with values, what is measured in a
// script of acknowledgements and the formula of draft-ietf-ccwg-bbr-06 that predicts it.
#include "attribute-prediction.h"
#include "bbr3-script.h"
#include "bulk-tcp/model/bulk-tcp-attributes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace
{

using namespace ns3;
using Phase = TcpBbr3::Phase;

constexpr double pathRate = 80e6;         ///< bit/s, of the script
constexpr double paced = 0.99 * pathRate; ///< bit/s: PacingMarginPercent is 1
constexpr double bdp = 1e6;               ///< bytes
constexpr double roundBytes =
    1e6; ///< bytes that each acknowledgement of the script tells of at once

Bbr3Ack
AckWith(std::uint32_t inFlight, double rateMbps = 80, std::uint32_t lost = 0)
{
    Bbr3Ack ack;
    ack.inFlight = inFlight;
    ack.rateMbps = rateMbps;
    ack.lost = lost;
    return ack;
}

double
PacingRate(Bbr3Script& script)
{
    return static_cast<double>(script.State().m_pacingRate.Get().GetBitRate());
}

double
FirstPacingRate()
{
    Bbr3Script script;
    return PacingRate(script);
}

double
PacingRateOfDrain()
{
    Bbr3Script script;
    script.Send(4, AckWith(2000000));
    EXPECT_EQ(script.Control().GetPhase().Get(), Phase::Drain);
    return PacingRate(script);
}

template <Phase phase>
double
PacingRateOf()
{
    Bbr3Script script;
    script.Reach(phase);
    return PacingRate(script);
}

double
WindowOfCruise()
{
    Bbr3Script script;
    script.Reach(Phase::ProbeBwCruise);
    script.Send(5, Bbr3Ack());
    EXPECT_EQ(script.Control().GetPhase().Get(), Phase::ProbeBwCruise);
    return script.State().m_cWnd;
}

/// Bytes, after 50,000 of 1,000,000 in flight were lost in ProbeBW_UP.
double
LongTermBoundAfterLoss()
{
    Bbr3Script script;
    script.Reach(Phase::ProbeBwUp);
    script.Send(AckWith(1000000, 80, 50000));
    return static_cast<double>(script.Control().Model().longTermInflight);
}

/// bit/s, after a round with loss in which a quarter of the bandwidth was delivered.
double
ShortTermBoundAfterLoss()
{
    Bbr3Script script;
    script.Reach(Phase::ProbeBwCruise);
    script.Send(AckWith(1000000, 20));
    script.Send(AckWith(1000000, 20, 5000));
    script.Send(AckWith(1000000, 20));
    return static_cast<double>(script.Control().Model().shortTermBandwidth);
}

/// Bytes of window in cruise, over the long-term bound.
double
ShareOfTheBoundInCruise()
{
    Bbr3Script script;
    script.Reach(Phase::ProbeBwUp);
    script.Send(AckWith(1000000, 80, 50000));
    for (int i = 0; i < 10 && script.Control().GetPhase().Get() != Phase::ProbeBwCruise; ++i)
    {
        script.Send(AckWith(400000));
    }
    EXPECT_EQ(script.Control().GetPhase().Get(), Phase::ProbeBwCruise);
    return script.State().m_cWnd / static_cast<double>(script.Control().Model().longTermInflight);
}

Bbr3Ack
LongerTrip()
{
    Bbr3Ack ack = AckWith(400000);
    ack.rttMs = 150;
    return ack;
}

/// Seconds from the least round trip, of 100 ms, to when the window is that of 150 ms, which the path has since then.
double
LifeOfTheLeastRoundTrip()
{
    Bbr3Script script;
    script.Fill();
    const double windowOfLess = 2.25 * bdp + 1.5 * roundBytes; // ProbeBW_UP has the largest
    Bbr3Ack ack = LongerTrip();
    ack.afterMs = 150;
    for (double seconds = 0.15; seconds < 60; seconds += 0.15)
    {
        script.Send(ack);
        if (script.State().m_cWnd > 1.05 * windowOfLess)
        {
            return seconds + 0.3; // Fill() takes three more round trips after the first
        }
    }
    return 0;
}

/// Seconds from the least round trip to the first ProbeRTT.
double
TimeToProbeRtt(Bbr3Script& script)
{
    script.Fill();
    for (double seconds = 0.1; seconds < 60; seconds += 0.1)
    {
        script.Send(LongerTrip());
        if (script.Control().GetPhase().Get() == Phase::ProbeRtt)
        {
            return seconds + 0.3;
        }
    }
    return 0;
}

double
IntervalOfProbeRtt()
{
    Bbr3Script script;
    return TimeToProbeRtt(script);
}

double
DurationOfProbeRtt()
{
    Bbr3Script script;
    TimeToProbeRtt(script);
    double seconds = 0;
    for (; script.Control().GetPhase().Get() == Phase::ProbeRtt && seconds < 60; seconds += 0.1)
    {
        script.Send(LongerTrip());
    }
    return seconds;
}

const std::vector<AttributePrediction> bbr3Predictions{
    // 5.6.2: before the first measurement the initial window, of 10,000 bytes, counts as sent in a millisecond.
    {"StartupPacingGain",
     {{"2", 2}, {"2.77", 2.77}, {"4", 4}},
     FirstPacingRate,
     [](double gain) { return gain * 10000 * 8 / 1e-3; },
     1},
    {"DrainPacingGain",
     {{"0.25", 0.25}, {"0.5", 0.5}, {"0.75", 0.75}},
     PacingRateOfDrain,
     [](double gain) { return gain * paced; },
     1},
    {"DownPacingGain",
     {{"0.75", 0.75}, {"0.9", 0.9}},
     PacingRateOf<Phase::ProbeBwDown>,
     [](double gain) { return gain * paced; },
     1},
    {"UpPacingGain",
     {{"1.25", 1.25}, {"1.5", 1.5}},
     PacingRateOf<Phase::ProbeBwUp>,
     [](double gain) { return gain * paced; },
     1},
    // 5.6.4.2: the gain's multiple of the BDP, and what acknowledgements tell of at once.
    {"CwndGain",
     {{"1.5", 1.5}, {"2", 2}, {"3", 3}},
     WindowOfCruise,
     [](double gain) { return gain * bdp + roundBytes; },
     1},
    // 5.5.10.2: of the 950,000 bytes before the loss and x after it, (x / (950,000 + x)) is the threshold.
    {"LossThreshold",
     {{"0.01", 0.01}, {"0.02", 0.02}, {"0.04", 0.04}},
     LongTermBoundAfterLoss,
     [](double threshold) { return std::floor(950000 / (1 - threshold)); },
     1},
    // 5.5.10.3: the larger of what was delivered, 20 Mbit/s, and of beta times the bandwidth.
    {"Beta",
     {{"0.2", 0.2}, {"0.5", 0.5}, {"0.7", 0.7}},
     ShortTermBoundAfterLoss,
     [](double beta) { return std::max(20e6, beta * pathRate); },
     1},
    {"Headroom",
     {{"0.15", 0.15}, {"0.3", 0.3}},
     ShareOfTheBoundInCruise,
     [](double headroom) { return 1 - headroom; },
     1e-5},
    // Times count from the first acknowledgement; what is due happens with one of the next, which are 100 or 150 ms apart.
    {"MinRttFilter",
     {{"6s", 6}, {"10s", 10}, {"14s", 14}},
     LifeOfTheLeastRoundTrip,
     [](double filter) { return filter + 0.075; },
     0.08},
    {"ProbeRttInterval",
     {{"2s", 2}, {"5s", 5}, {"8s", 8}},
     IntervalOfProbeRtt,
     [](double interval) { return interval + 0.05; },
     0.06},
    {"ProbeRttDuration",
     {{"200ms", 0.2}, {"1s", 1}, {"3s", 3}},
     DurationOfProbeRtt,
     [](double duration) { return duration + 0.05; },
     0.06},
};

class Bbr3Attribute : public testing::TestWithParam<AttributePrediction>
{
};

TEST_P(Bbr3Attribute, HasTheEffectThatTheFormulaPredicts)
{
    ExpectPredictedEffects("geotrain::TcpBbr3", GetParam());
}

INSTANTIATE_TEST_SUITE_P(Each, Bbr3Attribute, testing::ValuesIn(bbr3Predictions), NameOfRow);

TEST(Bbr3Attributes, NoneIsWithoutAFormula)
{
    std::set<std::string> predicted;
    for (const AttributePrediction& row : bbr3Predictions)
    {
        predicted.insert(std::string("geotrain::TcpBbr3::") + row.attribute);
    }
    for (const BulkTcpAttribute& attribute : BulkTcpAttributes())
    {
        if (attribute.name.rfind("geotrain::TcpBbr3::", 0) == 0)
        {
            EXPECT_EQ(predicted.count(attribute.name), 1U) << attribute.name;
        }
    }
}

} // namespace
