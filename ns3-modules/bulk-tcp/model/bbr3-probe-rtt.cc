// SPDX-License-Identifier: GPL-2.0-only
// Follows draft-ietf-ccwg-bbr-06, 5.3.4.
#include "bulk-tcp/model/bbr3-probe-rtt.h"

#include "bulk-tcp/model/bbr3-control.h"

namespace ns3
{

void
Bbr3ProbeRtt::Begin(Bbr3PathModel& model)
{
    m_doneNs = 0;
    model.BeginHoldingBack();
    model.StartRound();
}

bool
Bbr3ProbeRtt::Update(const TcpSocketState& tcb, Bbr3PathModel& model)
{
    model.HoldBack(tcb.m_bytesInFlight); // the draft's MarkConnectionAppLimited()
    if (m_doneNs == 0)
    {
        if (tcb.m_bytesInFlight <= Bbr3Control::ProbeRttWindow(tcb, model))
        {
            m_doneNs = model.rs.nowNs + model.constants.probeRttDuration.GetTimeStep();
            m_isRoundDone = false;
            model.StartRound();
        }
        return false;
    }
    m_isRoundDone = m_isRoundDone || model.IsRoundStart();
    return m_isRoundDone;
}

bool
Bbr3ProbeRtt::IsDone(std::int64_t nowNs) const
{
    return m_doneNs != 0 && nowNs > m_doneNs;
}

} // namespace ns3
