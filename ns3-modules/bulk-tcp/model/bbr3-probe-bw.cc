// SPDX-License-Identifier: GPL-2.0-only
// Follows draft-ietf-ccwg-bbr-06, 5.3.3.9 and 5.5.10.2.
#include "bulk-tcp/model/bbr3-probe-bw.h"

#include "bulk-tcp/model/bbr3-control.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

namespace
{

constexpr std::uint32_t maxProbeUpRounds = 30;
constexpr std::uint64_t renoRounds = 63;
constexpr double nsPerSecond = 1e9;

} // namespace

Bbr3ProbeBw::Bbr3ProbeBw()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

void
Bbr3ProbeBw::SetStream(std::int64_t stream)
{
    m_random->SetStream(stream);
}

void
Bbr3ProbeBw::StopProbing()
{
    m_ackPhase = AckPhase::ProbeStopping;
}

void
Bbr3ProbeBw::StartDown(Bbr3PathModel& model, Bbr3Phase& phase)
{
    model.ResetCongestionSignals();
    m_upAckedPerIncrease = Bbr3PathModel::s_infinite;
    PickWait(model);
    m_cycleStampNs = model.rs.nowNs;
    StopProbing();
    model.StartRound();
    phase.Enter(Bbr3PhaseName::ProbeBwDown, model.constants);
}

void
Bbr3ProbeBw::StartRefill(Bbr3PathModel& model, Bbr3Phase& phase)
{
    model.ResetShortTermModel();
    m_upRounds = 0;
    m_upAcked = 0;
    m_wasPrecaution = false;
    m_ackPhase = AckPhase::Refilling;
    model.StartRound();
    phase.Enter(Bbr3PhaseName::ProbeBwRefill, model.constants);
}

void
Bbr3ProbeBw::StartUp(const TcpSocketState& tcb,
                     Bbr3PathModel& model,
                     Bbr3Phase& phase,
                     Bbr3Startup& full)
{
    m_hasSamples = true;
    m_ackPhase = AckPhase::ProbeStarting;
    model.StartRound();
    full.Reset(model.rs.rate);
    phase.Enter(Bbr3PhaseName::ProbeBwUp, model.constants);
    RaiseSlope(tcb);
}

void
Bbr3ProbeBw::PickWait(const Bbr3PathModel& model)
{
    m_roundsBefore = m_random->GetInteger(0, 1);
    m_waitRound = model.RoundCount();
    const double seconds = m_random->GetValue(2, 3);
    m_waitNs = std::llround(seconds * nsPerSecond);
}

void
Bbr3ProbeBw::Update(const TcpSocketState& tcb,
                    Bbr3PathModel& model,
                    Bbr3Phase& phase,
                    Bbr3Startup& full)
{
    if (FollowFeedback(model, phase))
    {
        return;
    }
    AdaptLongTermModel(tcb, model, phase.Is(Bbr3PhaseName::ProbeBwUp));
    switch (phase.Get())
    {
    case Bbr3PhaseName::ProbeBwDown:
    case Bbr3PhaseName::ProbeBwCruise:
        if (IsTimeToProbe(tcb, model))
        {
            StartRefill(model, phase);
        }
        else if (phase.Is(Bbr3PhaseName::ProbeBwDown) && IsTimeToCruise(tcb, model))
        {
            phase.Enter(Bbr3PhaseName::ProbeBwCruise, model.constants);
        }
        break;
    case Bbr3PhaseName::ProbeBwRefill:
        if (model.IsRoundStart())
        {
            StartUp(tcb, model, phase, full);
        }
        break;
    case Bbr3PhaseName::ProbeBwUp:
        if (IsTimeToGoDown(tcb, model, full))
        {
            m_wasTooHigh = false;
            StartDown(model, phase);
        }
        break;
    case Bbr3PhaseName::Startup:
    case Bbr3PhaseName::Drain:
    case Bbr3PhaseName::ProbeRtt:
        break;
    }
}

bool
Bbr3ProbeBw::IsTimeToProbe(const TcpSocketState& tcb, const Bbr3PathModel& model) const
{
    const std::uint64_t packets = Bbr3Control::TargetInflight(tcb, model) / tcb.m_segmentSize;
    const std::uint64_t rounds = m_roundsBefore + model.RoundCount() - m_waitRound;
    return model.rs.nowNs > m_cycleStampNs + m_waitNs || rounds >= std::min(packets, renoRounds);
}

bool
Bbr3ProbeBw::IsTimeToCruise(const TcpSocketState& tcb, const Bbr3PathModel& model)
{
    return tcb.m_bytesInFlight <= Bbr3Control::InflightWithHeadroom(tcb, model) &&
           tcb.m_bytesInFlight <= Bbr3Control::Inflight(tcb, model, model.MaxBandwidth());
}

bool
Bbr3ProbeBw::IsTimeToGoDown(const TcpSocketState& tcb,
                            const Bbr3PathModel& model,
                            Bbr3Startup& full)
{
    // 5.3.3.6. The window holds whole segments, so the flight has reached the bound when no further
    // segment fits.
    if (m_wasTooHigh && model.rs.priorInFlight + tcb.m_segmentSize > model.longTermInflight)
    {
        m_wasPrecaution = true;
        return true;
    }
    if (model.rs.windowLimited && tcb.m_cWnd >= model.longTermInflight)
    {
        full.Reset(model.rs.rate);
        return false;
    }
    return full.IsFullNow();
}

bool
Bbr3ProbeBw::FollowFeedback(Bbr3PathModel& model, Bbr3Phase& phase)
{
    if (!model.IsRoundStart())
    {
        return false;
    }
    if (m_ackPhase == AckPhase::ProbeStarting)
    {
        m_ackPhase = AckPhase::ProbeFeedback;
    }
    if (m_ackPhase != AckPhase::ProbeStopping)
    {
        return false;
    }
    m_hasSamples = false; // all packets sent while probing have been judged
    m_ackPhase = AckPhase::Init;
    if (!phase.IsProbeBw())
    {
        return false;
    }
    if (!model.rs.appLimited)
    {
        model.AdvanceMaxBandwidthFilter();
    }
    const bool isSafe = m_wasPrecaution && !m_wasTooHigh;
    if (isSafe)
    {
        StartRefill(model, phase); // 5.3.3.6: the short probe did no harm
    }
    return isSafe;
}

void
Bbr3ProbeBw::AdaptLongTermModel(const TcpSocketState& tcb, Bbr3PathModel& model, bool isUp)
{
    if (model.IsInflightTooHigh() || model.longTermInflight == Bbr3PathModel::s_infinite)
    {
        return;
    }
    model.longTermInflight = std::max(model.longTermInflight, model.rs.txInFlight);
    if (isUp)
    {
        ProbeUpward(tcb, model);
    }
}

void
Bbr3ProbeBw::RaiseSlope(const TcpSocketState& tcb)
{
    const std::uint64_t perRound = std::uint64_t{1} << m_upRounds; // segments
    m_upRounds = std::min(m_upRounds + 1, maxProbeUpRounds);
    m_upAckedPerIncrease = std::max<std::uint64_t>(tcb.m_cWnd / perRound, tcb.m_segmentSize);
}

void
Bbr3ProbeBw::ProbeUpward(const TcpSocketState& tcb, Bbr3PathModel& model)
{
    if (!model.rs.windowLimited || tcb.m_cWnd < model.longTermInflight)
    {
        return;
    }
    m_upAcked += model.rs.newlyAcked;
    if (m_upAcked >= m_upAckedPerIncrease)
    {
        const std::uint64_t growth = m_upAcked / m_upAckedPerIncrease; // segments
        m_upAcked -= growth * m_upAckedPerIncrease;
        model.longTermInflight += growth * tcb.m_segmentSize;
    }
    if (model.IsRoundStart())
    {
        RaiseSlope(tcb);
    }
}

bool
Bbr3ProbeBw::OnCongestion(const TcpSocketState& tcb, Bbr3PathModel& model, const Bbr3Phase& phase)
{
    const bool isLossTooHigh = model.IsInflightTooHigh();
    if (!m_hasSamples || !(isLossTooHigh || model.rs.marked))
    {
        return false;
    }
    m_wasTooHigh = true;
    m_hasSamples = false; // one reaction per probe
    if (!model.rs.appLimited)
    {
        const auto target = static_cast<double>(Bbr3Control::TargetInflight(tcb, model));
        model.longTermInflight =
            std::max(isLossTooHigh ? model.InflightAtLoss() : model.rs.txInFlight,
                     static_cast<std::uint64_t>(model.constants.beta * target));
    }
    return phase.Is(Bbr3PhaseName::ProbeBwUp);
}

} // namespace ns3
