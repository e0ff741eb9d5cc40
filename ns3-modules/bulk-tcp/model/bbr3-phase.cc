// SPDX-License-Identifier: GPL-2.0-only
// Tabulates the gains of draft-ietf-ccwg-bbr-06, 2.5, 2.6 and 5.6.1.
#include "bulk-tcp/model/bbr3-phase.h"

namespace ns3
{

namespace
{

constexpr double upCwndGainMore = 0.25; ///< added to the gain of the other phases
constexpr double probeRttCwndGain = 0.5;

struct Bbr3Gains
{
    double pacing;
    double cwnd;
};

Bbr3Gains
GainsOf(Bbr3PhaseName name, const Bbr3Constants& constants)
{
    switch (name)
    {
    case Bbr3PhaseName::Startup:
        return {constants.startupPacingGain, constants.cwndGain};
    case Bbr3PhaseName::Drain:
        return {constants.drainPacingGain, constants.cwndGain};
    case Bbr3PhaseName::ProbeBwDown:
        return {constants.downPacingGain, constants.cwndGain};
    case Bbr3PhaseName::ProbeBwUp:
        return {constants.upPacingGain, constants.cwndGain + upCwndGainMore};
    case Bbr3PhaseName::ProbeRtt:
        return {1.0, probeRttCwndGain};
    case Bbr3PhaseName::ProbeBwCruise:
    case Bbr3PhaseName::ProbeBwRefill:
        break;
    }
    return {1.0, constants.cwndGain};
}

} // namespace

void
Bbr3Phase::Enter(Bbr3PhaseName name, const Bbr3Constants& constants)
{
    const Bbr3Gains gains = GainsOf(name, constants);
    m_name = name;
    m_pacingGain = gains.pacing;
    m_cwndGain = gains.cwnd;
}

const char*
Bbr3Phase::Name() const
{
    switch (m_name)
    {
    case Bbr3PhaseName::Startup:
        return "Startup";
    case Bbr3PhaseName::Drain:
        return "Drain";
    case Bbr3PhaseName::ProbeBwDown:
        return "ProbeBW_DOWN";
    case Bbr3PhaseName::ProbeBwCruise:
        return "ProbeBW_CRUISE";
    case Bbr3PhaseName::ProbeBwRefill:
        return "ProbeBW_REFILL";
    case Bbr3PhaseName::ProbeBwUp:
        return "ProbeBW_UP";
    case Bbr3PhaseName::ProbeRtt:
        return "ProbeRTT";
    }
    return "";
}

} // namespace ns3
