// SPDX-License-Identifier: GPL-2.0-only
// Declares the attributes of geotrain::TcpBbr3. Their defaults are the constants of
// draft-ietf-ccwg-bbr-06.
#include "bulk-tcp/model/tcp-bbr3.h"

#include <ns3/double.h>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(TcpBbr3);

namespace
{

struct FactorAttribute
{
    const char* name;
    const char* help;
    double Bbr3Constants::*value;
    double least;
    double most;
};

constexpr FactorAttribute factors[] = {
    {"StartupPacingGain",
     "Pacing gain of Startup: 4 ln 2.",
     &Bbr3Constants::startupPacingGain,
     1.0,
     10.0},
    {"DrainPacingGain", "Pacing gain of Drain.", &Bbr3Constants::drainPacingGain, 0.05, 1.0},
    {"DownPacingGain", "Pacing gain of ProbeBW_DOWN.", &Bbr3Constants::downPacingGain, 0.05, 1.0},
    {"UpPacingGain", "Pacing gain of ProbeBW_UP.", &Bbr3Constants::upPacingGain, 1.0, 10.0},
    {"CwndGain",
     "Window in bandwidth-delay products; ProbeBW_UP has a quarter more.",
     &Bbr3Constants::cwndGain,
     1.0,
     10.0},
    {"LossThreshold",
     "Share of losses in a round that a probe accepts.",
     &Bbr3Constants::lossThreshold,
     0.0,
     1.0},
    {"Beta",
     "What is left of the short-term bounds after a round with loss.",
     &Bbr3Constants::beta,
     0.05,
     1.0},
    {"Headroom",
     "Share of the long-term bound that is left to other connections.",
     &Bbr3Constants::headroom,
     0.0,
     0.9}};

} // namespace

TypeId
TcpBbr3::GetTypeId()
{
    static TypeId id = []
    {
        TypeId type("geotrain::TcpBbr3");
        type.SetParent<TcpCongestionOps>().SetGroupName("BulkTcp").AddConstructor<TcpBbr3>();
        const Bbr3Constants initial;
        for (const FactorAttribute& factor : factors)
        {
            type.AddAttribute(factor.name,
                              factor.help,
                              DoubleValue(initial.*factor.value),
                              MakeDoubleAccessor(factor.value),
                              MakeDoubleChecker<double>(factor.least, factor.most));
        }
        return type
            .AddAttribute("MinRttFilter",
                          "How long the least round trip counts.",
                          TimeValue(initial.minRttFilter),
                          MakeTimeAccessor(&Bbr3Constants::minRttFilter),
                          MakeTimeChecker(MilliSeconds(1), Seconds(3600)))
            .AddAttribute("ProbeRttInterval",
                          "Time between looks at the round trip with a small flight.",
                          TimeValue(initial.probeRttInterval),
                          MakeTimeAccessor(&Bbr3Constants::probeRttInterval),
                          MakeTimeChecker(MilliSeconds(1), Seconds(3600)))
            .AddAttribute("ProbeRttDuration",
                          "How long the flight is small then.",
                          TimeValue(initial.probeRttDuration),
                          MakeTimeAccessor(&Bbr3Constants::probeRttDuration),
                          MakeTimeChecker(MilliSeconds(1), Seconds(60)));
    }();
    return id;
}

} // namespace ns3
