// SPDX-License-Identifier: GPL-2.0-only
// Follows draft-ietf-ccwg-bbr-05, 5.3.3 and the long-term part of 5.5.10.
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
    m_upCount = Bbr3PathModel::s_infinite;
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
    m_upAcks = 0;
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
    AdaptLongTermModel(tcb, model, phase);
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
    if (model.rs.windowLimited && tcb.m_cWnd >= model.longTermInflight)
    {
        full.Reset(model.rs.rate);
        return false;
    }
    return full.IsFullNow();
}

void
Bbr3ProbeBw::AdaptLongTermModel(const TcpSocketState& tcb,
                                Bbr3PathModel& model,
                                const Bbr3Phase& phase)
{
    if (m_ackPhase == AckPhase::ProbeStarting && model.IsRoundStart())
    {
        m_ackPhase = AckPhase::ProbeFeedback;
    }
    if (m_ackPhase == AckPhase::ProbeStopping && model.IsRoundStart())
    {
        m_hasSamples = false; // all packets sent while probing have been judged
        m_ackPhase = AckPhase::Init;
        if (phase.IsProbeBw() && !model.rs.appLimited)
        {
            model.AdvanceMaxBandwidthFilter();
        }
    }
    if (model.IsInflightTooHigh() || model.longTermInflight == Bbr3PathModel::s_infinite)
    {
        return;
    }
    model.longTermInflight = std::max(model.longTermInflight, model.rs.txInFlight);
    if (phase.Is(Bbr3PhaseName::ProbeBwUp))
    {
        ProbeUpward(tcb, model);
    }
}

void
Bbr3ProbeBw::RaiseSlope(const TcpSocketState& tcb)
{
    const std::uint64_t growth = static_cast<std::uint64_t>(tcb.m_segmentSize) << m_upRounds;
    m_upRounds = std::min(m_upRounds + 1, maxProbeUpRounds);
    m_upCount = std::max<std::uint64_t>(tcb.m_cWnd / growth, 1);
}

void
Bbr3ProbeBw::ProbeUpward(const TcpSocketState& tcb, Bbr3PathModel& model)
{
    if (!model.rs.windowLimited || tcb.m_cWnd < model.longTermInflight)
    {
        return;
    }
    m_upAcks += model.rs.newlyAcked;
    if (m_upAcks >= m_upCount)
    {
        const std::uint64_t growth = m_upAcks / m_upCount;
        m_upAcks -= growth * m_upCount;
        model.longTermInflight += growth;
    }
    if (model.IsRoundStart())
    {
        RaiseSlope(tcb);
    }
}

bool
Bbr3ProbeBw::OnLoss(const TcpSocketState& tcb, Bbr3PathModel& model, const Bbr3Phase& phase)
{
    if (!m_hasSamples || !model.IsInflightTooHigh())
    {
        return false;
    }
    m_hasSamples = false; // one reaction per probe
    if (!model.rs.appLimited)
    {
        const auto target = static_cast<double>(Bbr3Control::TargetInflight(tcb, model));
        model.longTermInflight = std::max(
            model.InflightAtLoss(), static_cast<std::uint64_t>(model.constants.beta * target));
    }
    return phase.Is(Bbr3PhaseName::ProbeBwUp);
}

} // namespace ns3
