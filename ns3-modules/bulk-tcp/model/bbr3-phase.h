// SPDX-License-Identifier: GPL-2.0-only
// Defines the phases of BBRv3 with their gains (draft-ietf-ccwg-bbr-06, 5.1.1 and 5.6.1).
#pragma once

#include "bulk-tcp/model/bbr3-constants.h"

namespace ns3
{

/// Bbr3PhaseName names the states of the draft's state machine.
enum class Bbr3PhaseName
{
    Startup,
    Drain,
    ProbeBwDown,
    ProbeBwCruise,
    ProbeBwRefill,
    ProbeBwUp,
    ProbeRtt
};

/// Bbr3Phase is the phase that a connection is in, with the gains of that phase.
class Bbr3Phase
{
  public:
    void Enter(Bbr3PhaseName name, const Bbr3Constants& constants);

    /// Returns the draft's name of the phase, such as "ProbeBW_UP".
    const char* Name() const;

    Bbr3PhaseName Get() const
    {
        return m_name;
    }

    bool Is(Bbr3PhaseName name) const
    {
        return m_name == name;
    }

    bool IsProbeBw() const
    {
        return m_name == Bbr3PhaseName::ProbeBwDown || m_name == Bbr3PhaseName::ProbeBwCruise ||
               m_name == Bbr3PhaseName::ProbeBwRefill || m_name == Bbr3PhaseName::ProbeBwUp;
    }

    /// Returns whether the phase puts more into flight to learn what the path carries.
    bool IsProbing() const
    {
        return m_name == Bbr3PhaseName::Startup || m_name == Bbr3PhaseName::ProbeBwRefill ||
               m_name == Bbr3PhaseName::ProbeBwUp;
    }

    double PacingGain() const
    {
        return m_pacingGain;
    }

    double CwndGain() const
    {
        return m_cwndGain;
    }

  private:
    Bbr3PhaseName m_name = Bbr3PhaseName::Startup;
    double m_pacingGain = 0;
    double m_cwndGain = 0;
};

} // namespace ns3
