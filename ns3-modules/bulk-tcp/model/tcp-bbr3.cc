// SPDX-License-Identifier: GPL-2.0-only
// Implements the functions that ns-3 calls, and the order of the phases (draft-ietf-ccwg-bbr-05,
// 5.2 to 5.4).
#include "bulk-tcp/model/tcp-bbr3.h"

#include "bulk-tcp/model/log-line.h"

#include <ns3/double.h>
#include <ns3/simulator.h>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(TcpBbr3);

namespace
{

const LogComponent bbr3Log("TcpBbr3", __FILE__);

} // namespace

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

TcpBbr3::TcpBbr3() = default;

void
TcpBbr3::SetStream(std::int64_t stream)
{
    m_probeBw.SetStream(stream);
}

std::string
TcpBbr3::GetName() const
{
    return "TcpBbr3";
}

void
TcpBbr3::Init(Ptr<TcpSocketState> tcb)
{
    tcb->m_pacing = true;
    m_model.constants = {m_startupPacingGain,
                         m_drainPacingGain,
                         m_downPacingGain,
                         m_upPacingGain,
                         m_cwndGain,
                         m_lossThreshold,
                         m_beta,
                         m_headroom,
                         m_minRttFilter.GetNanoSeconds(),
                         m_probeRttInterval.GetNanoSeconds(),
                         m_probeRttDuration.GetNanoSeconds()};
    m_model.Init(Simulator::Now().GetNanoSeconds());
    m_phase.Enter(Phase::Startup, m_model.constants);
    m_control.InitPacingRate(*tcb, m_phase);
}

std::uint32_t
TcpBbr3::GetSsThresh(Ptr<const TcpSocketState> tcb, std::uint32_t /*bytesInFlight*/)
{
    return tcb->m_ssThresh;
}

void
TcpBbr3::IncreaseWindow(Ptr<TcpSocketState> /*tcb*/, std::uint32_t /*segmentsAcked*/)
{
}

void
TcpBbr3::CongestionStateSet(Ptr<TcpSocketState> tcb, TcpSocketState::TcpCongState_t newState)
{
    const TcpSocketState::TcpCongState_t state = tcb->m_congState;
    const bool recovering =
        state == TcpSocketState::CA_RECOVERY || state == TcpSocketState::CA_LOSS;
    if (newState == TcpSocketState::CA_RECOVERY || newState == TcpSocketState::CA_LOSS)
    {
        m_control.SaveWindow(*tcb, m_phase);
        if (newState == TcpSocketState::CA_LOSS)
        {
            m_model.NoteLoss();
        }
    }
    else if (newState == TcpSocketState::CA_OPEN)
    {
        if (recovering)
        {
            m_control.RestoreWindow(*tcb);
        }
        m_control.InitPacingRate(*tcb, m_phase);
    }
}

void
TcpBbr3::CwndEvent(Ptr<TcpSocketState> tcb, TcpSocketState::TcpCAEvent_t event)
{
    // Nothing is in flight although the window is open: the application was the limit (5.4.1).
    if (event == TcpSocketState::CA_EVENT_TX_START && m_model.Delivered() > 0)
    {
        RestartFromIdle(*tcb);
    }
}

bool
TcpBbr3::HasCongControl() const
{
    return true;
}

void
TcpBbr3::CongControl(Ptr<TcpSocketState> tcb,
                     const TcpRateOps::TcpRateConnection& connection,
                     const TcpRateOps::TcpRateSample& sample)
{
    const Phase before = m_phase.Get();
    m_model.Take(*tcb, connection, sample);
    HandleLoss(*tcb);
    if (m_model.rs.newlyAcked > 0)
    {
        UpdateModelAndState(*tcb);
        m_control.InitPacingRate(*tcb, m_phase);
        m_control.SetPacingRate(*tcb, m_model, m_phase.PacingGain(), m_startup.IsFull());
        m_control.SetWindow(*tcb, m_model, m_phase, m_startup.IsFull());
    }
    if (!m_phase.Is(before))
    {
        LogLine(bbr3Log,
                LOG_INFO,
                "enters ",
                m_phase.Name(),
                ", bandwidth ",
                m_model.Bandwidth(),
                " bit/s, window ",
                tcb->m_cWnd.Get(),
                " bytes");
    }
}

Ptr<TcpCongestionOps>
TcpBbr3::Fork()
{
    return CopyObject<TcpBbr3>(this);
}

void
TcpBbr3::HandleLoss(const TcpSocketState& tcb)
{
    if (m_model.rs.newlyLost == 0)
    {
        return;
    }
    m_model.NoteLoss();
    if (m_probeBw.OnLoss(tcb, m_model, m_phase))
    {
        m_probeBw.StartDown(m_model, m_phase);
    }
}

void
TcpBbr3::UpdateModelAndState(TcpSocketState& tcb)
{
    m_model.UpdateLatestDeliverySignals();
    m_model.UpdateCongestionSignals(tcb, m_phase.IsProbing());
    m_model.UpdateAckAggregation(tcb, m_startup.IsFull());
    m_startup.CheckBandwidth(m_model);
    LeaveStartupWhenFull(tcb);
    if (m_phase.Is(Phase::Drain) && m_drain.IsDone(tcb, m_model))
    {
        m_probeBw.StartDown(m_model, m_phase);
    }
    if (m_startup.IsFull())
    {
        m_probeBw.Update(tcb, m_model, m_phase, m_startup);
    }
    CheckProbeRtt(tcb, m_model.UpdateMinRtt());
    m_model.AdvanceLatestDeliverySignals();
    m_model.BoundBandwidth();
}

void
TcpBbr3::LeaveStartupWhenFull(const TcpSocketState& tcb)
{
    m_startup.CheckLoss(tcb, m_model);
    if (m_phase.Is(Phase::Startup) && m_startup.IsFull())
    {
        m_phase.Enter(Phase::Drain, m_model.constants);
        m_drain.Begin(m_model.RoundCount());
    }
}

void
TcpBbr3::CheckProbeRtt(TcpSocketState& tcb, bool isDue)
{
    if (!m_phase.Is(Phase::ProbeRtt) && isDue && !m_isIdleRestart)
    {
        m_control.SaveWindow(tcb, m_phase);
        m_phase.Enter(Phase::ProbeRtt, m_model.constants);
        m_probeBw.StopProbing();
        m_probeRtt.Begin(m_model);
    }
    if (m_phase.Is(Phase::ProbeRtt) && m_probeRtt.Update(tcb, m_model))
    {
        LeaveProbeRttWhenDone(tcb, m_model.rs.nowNs);
    }
    if (m_model.rs.delivered > 0)
    {
        m_isIdleRestart = false;
    }
}

void
TcpBbr3::LeaveProbeRttWhenDone(TcpSocketState& tcb, std::int64_t nowNs)
{
    if (!m_probeRtt.IsDone(nowNs))
    {
        return;
    }
    m_model.RestartProbeRttInterval(nowNs);
    m_control.RestoreWindow(tcb);
    m_model.ResetShortTermModel();
    if (m_startup.IsFull())
    {
        m_probeBw.StartDown(m_model, m_phase);
        m_phase.Enter(Phase::ProbeBwCruise, m_model.constants);
    }
    else
    {
        m_phase.Enter(Phase::Startup, m_model.constants);
    }
}

void
TcpBbr3::RestartFromIdle(TcpSocketState& tcb)
{
    const std::int64_t now = Simulator::Now().GetNanoSeconds();
    m_isIdleRestart = true;
    m_model.RestartAckAggregation(now);
    if (m_phase.IsProbeBw())
    {
        m_control.SetPacingRate(tcb, m_model, 1, m_startup.IsFull());
    }
    else if (m_phase.Is(Phase::ProbeRtt))
    {
        LeaveProbeRttWhenDone(tcb, now);
    }
}

TcpBbr3::Phase
TcpBbr3::GetPhase() const
{
    return m_phase.Get();
}

double
TcpBbr3::PacingGain() const
{
    return m_phase.PacingGain();
}

double
TcpBbr3::CwndGain() const
{
    return m_phase.CwndGain();
}

std::uint64_t
TcpBbr3::MaxBandwidth() const
{
    return m_model.MaxBandwidth();
}

std::uint64_t
TcpBbr3::ShortTermBandwidth() const
{
    return m_model.shortTermBandwidth;
}

std::uint64_t
TcpBbr3::ShortTermInflight() const
{
    return m_model.shortTermInflight;
}

std::uint64_t
TcpBbr3::LongTermInflight() const
{
    return m_model.longTermInflight;
}

} // namespace ns3
