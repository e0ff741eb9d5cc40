// SPDX-License-Identifier: GPL-2.0-only
// How soon the machine runs a process of a live run (sched(7)): the WAN before the executor and its
// agents, and these before all that is not of the run. A process may always become less urgent.
#pragma once

#include <sched.h>

namespace ns3
{

/// An Urgency is a real-time priority.
enum class Urgency
{
    Ordinary = 0, ///< as any other program
    Executor = 1, ///< and agents
    Wan = 2
};

/// Sets it for this process and those that it starts from then on. Does nothing where the caller may
/// not.
inline void
SetUrgency(Urgency urgency)
{
    sched_param parameters = {};
    parameters.sched_priority = static_cast<int>(urgency);
    sched_setscheduler(0, urgency == Urgency::Ordinary ? SCHED_OTHER : SCHED_RR, &parameters);
}

} // namespace ns3
