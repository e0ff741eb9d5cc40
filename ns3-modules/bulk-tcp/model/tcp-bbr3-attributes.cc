// SPDX-License-Identifier: GPL-2.0-only
// Declares the attributes of geotrain::TcpBbr3. Their defaults are the constants of
// draft-ietf-ccwg-bbr-06.
#include "bulk-tcp/model/tcp-bbr3.h"

#include <ns3/double.h>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(TcpBbr3);

TypeId
TcpBbr3::GetTypeId()
{
    static TypeId id = []
    {
        TypeId type("geotrain::TcpBbr3");
        type.SetParent<TcpCongestionOps>().SetGroupName("BulkTcp").AddConstructor<TcpBbr3>();
        AddGainAttributes(type);
        AddModelAttributes(type);
        return type;
    }();
    return id;
}

void
TcpBbr3::AddGainAttributes(TypeId& id)
{
    const Bbr3Constants initial;
    id.AddAttribute("StartupPacingGain",
                    "Pacing gain of Startup: 4 ln 2.",
                    DoubleValue(initial.startupPacingGain),
                    MakeDoubleAccessor(&TcpBbr3::m_startupPacingGain),
                    MakeDoubleChecker<double>(1.0, 10.0))
        .AddAttribute("DrainPacingGain",
                      "Pacing gain of Drain.",
                      DoubleValue(initial.drainPacingGain),
                      MakeDoubleAccessor(&TcpBbr3::m_drainPacingGain),
                      MakeDoubleChecker<double>(0.05, 1.0))
        .AddAttribute("DownPacingGain",
                      "Pacing gain of ProbeBW_DOWN.",
                      DoubleValue(initial.downPacingGain),
                      MakeDoubleAccessor(&TcpBbr3::m_downPacingGain),
                      MakeDoubleChecker<double>(0.05, 1.0))
        .AddAttribute("UpPacingGain",
                      "Pacing gain of ProbeBW_UP.",
                      DoubleValue(initial.upPacingGain),
                      MakeDoubleAccessor(&TcpBbr3::m_upPacingGain),
                      MakeDoubleChecker<double>(1.0, 10.0))
        .AddAttribute("CwndGain",
                      "Window in bandwidth-delay products; ProbeBW_UP has a quarter more.",
                      DoubleValue(initial.cwndGain),
                      MakeDoubleAccessor(&TcpBbr3::m_cwndGain),
                      MakeDoubleChecker<double>(1.0, 10.0));
}

void
TcpBbr3::AddModelAttributes(TypeId& id)
{
    const Bbr3Constants initial;
    id.AddAttribute("LossThreshold",
                    "Share of losses in a round that a probe accepts.",
                    DoubleValue(initial.lossThreshold),
                    MakeDoubleAccessor(&TcpBbr3::m_lossThreshold),
                    MakeDoubleChecker<double>(0.0, 1.0))
        .AddAttribute("Beta",
                      "What is left of the short-term bounds after a round with loss.",
                      DoubleValue(initial.beta),
                      MakeDoubleAccessor(&TcpBbr3::m_beta),
                      MakeDoubleChecker<double>(0.05, 1.0))
        .AddAttribute("Headroom",
                      "Share of the long-term bound that is left to other connections.",
                      DoubleValue(initial.headroom),
                      MakeDoubleAccessor(&TcpBbr3::m_headroom),
                      MakeDoubleChecker<double>(0.0, 0.9))
        .AddAttribute("MinRttFilter",
                      "How long the least round trip counts.",
                      TimeValue(TimeStep(static_cast<std::uint64_t>(initial.minRttFilterNs))),
                      MakeTimeAccessor(&TcpBbr3::m_minRttFilter),
                      MakeTimeChecker(MilliSeconds(1), Seconds(3600)))
        .AddAttribute("ProbeRttInterval",
                      "Time between looks at the round trip with a small flight.",
                      TimeValue(TimeStep(static_cast<std::uint64_t>(initial.probeRttIntervalNs))),
                      MakeTimeAccessor(&TcpBbr3::m_probeRttInterval),
                      MakeTimeChecker(MilliSeconds(1), Seconds(3600)))
        .AddAttribute("ProbeRttDuration",
                      "How long the flight is small then.",
                      TimeValue(TimeStep(static_cast<std::uint64_t>(initial.probeRttDurationNs))),
                      MakeTimeAccessor(&TcpBbr3::m_probeRttDuration),
                      MakeTimeChecker(MilliSeconds(1), Seconds(60)));
}

} // namespace ns3
