// BBR's state machine: what ns-3 calls, and draft-ietf-ccwg-bbr-05, 5.2 to 5.4.
#include "bulk-tcp/model/tcp-bbr3.h"

#include <ns3/simulator.h>

#include <algorithm>
#include <cmath>

namespace ns3
{

namespace
{

// Of draft-ietf-ccwg-bbr-05, 2.4 to 2.9 and 5.6.1.
constexpr double startupPacingGain = 2.77; ///< 4 ln 2
constexpr double drainPacingGain = 0.5;
constexpr double downPacingGain = 0.9;
constexpr double upPacingGain = 1.25;
constexpr double defaultCwndGain = 2.0;
constexpr double upCwndGain = 2.25;
constexpr double probeRttCwndGain = 0.5;
constexpr double fullGrowth = 1.25;
constexpr std::uint32_t fullRounds = 3;
constexpr std::uint32_t startupFullLossCount = 6;
constexpr std::uint64_t drainRounds = 3;
constexpr std::uint64_t renoRounds = 63;
constexpr std::int64_t probeRttDurationNs = 200000000;
constexpr std::int64_t nsPerSecond = 1000000000;

} // namespace

NS_OBJECT_ENSURE_REGISTERED(TcpBbr3);

TypeId
TcpBbr3::GetTypeId()
{
    static TypeId id = TypeId("geotrain::TcpBbr3")
                           .SetParent<TcpCongestionOps>()
                           .SetGroupName("BulkTcp")
                           .AddConstructor<TcpBbr3>();
    return id;
}

TcpBbr3::TcpBbr3()
    : m_random(CreateObject<UniformRandomVariable>()),
      m_extraAckedFilter(1, 0, 0)
{
}

void
TcpBbr3::SetStream(std::int64_t stream)
{
    m_random->SetStream(stream);
}

std::string
TcpBbr3::GetName() const
{
    return "TcpBbr3";
}

void
TcpBbr3::Init(Ptr<TcpSocketState> tcb)
{
    const std::int64_t now = Simulator::Now().GetNanoSeconds();
    tcb->m_pacing = true;
    m_minRttStampNs = now;
    m_probeRttMinStampNs = now;
    m_extraAckedStartNs = now;
    EnterStartup();
    InitPacingRate(*tcb);
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
        SaveWindow(*tcb);
        if (newState == TcpSocketState::CA_LOSS)
        {
            NoteLoss();
        }
    }
    else if (newState == TcpSocketState::CA_OPEN)
    {
        if (recovering)
        {
            RestoreWindow(*tcb);
        }
        InitPacingRate(*tcb);
    }
}

void
TcpBbr3::CwndEvent(Ptr<TcpSocketState> tcb, TcpSocketState::TcpCAEvent_t event)
{
    // Nothing is in flight though the window is open: the application was the limit. (5.4.1)
    if (event == TcpSocketState::CA_EVENT_TX_START && m_delivered > 0)
    {
        HandleRestartFromIdle(*tcb);
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
    Take(*tcb, connection, sample);
    HandleLoss(*tcb);
    if (m_rs.newlyAcked == 0)
    {
        return;
    }
    UpdateModelAndState(*tcb);
    InitPacingRate(*tcb);
    SetPacingRate(*tcb, m_pacingGain);
    SetWindow(*tcb);
}

Ptr<TcpCongestionOps>
TcpBbr3::Fork()
{
    return CopyObject<TcpBbr3>(this);
}

void
TcpBbr3::Take(TcpSocketState& tcb,
              const TcpRateOps::TcpRateConnection& connection,
              const TcpRateOps::TcpRateSample& sample)
{
    m_history.Note({m_delivered, sample.m_priorInFlight, m_lost});
    m_delivered = connection.m_delivered;
    m_lost += sample.m_bytesLoss;
    // The sample has 32 bits of it.
    m_rs.priorDelivered =
        m_delivered - static_cast<std::uint32_t>(static_cast<std::uint32_t>(m_delivered) -
                                                 sample.m_priorDelivered);
    const Bbr3SentHistory::Sent& sent = m_history.Find(m_rs.priorDelivered);
    m_rs.nowNs = Simulator::Now().GetNanoSeconds();
    m_rs.rttNs = tcb.m_lastRtt.Get().GetNanoSeconds();
    m_rs.rate = sample.m_deliveryRate.GetBitRate();
    m_rs.delivered = static_cast<std::uint64_t>(std::max(sample.m_delivered, 0));
    m_rs.newlyAcked = sample.m_ackedSacked;
    m_rs.newlyLost = sample.m_bytesLoss;
    m_rs.txInFlight = sent.inFlight;
    m_rs.lost = m_lost - sent.lost;
    m_rs.appLimited = sample.m_isAppLimited ||
                      (m_rs.priorDelivered >= m_lowFrom && m_rs.priorDelivered <= m_lowTo);
    m_rs.windowLimited = sample.m_priorInFlight + tcb.m_segmentSize > tcb.m_cWnd;
}

void
TcpBbr3::UpdateModelAndState(TcpSocketState& tcb)
{
    UpdateLatestDeliverySignals();
    UpdateCongestionSignals(tcb);
    UpdateAckAggregation(tcb);
    CheckFullBandwidthReached();
    CheckStartupDone(tcb);
    CheckDrainDone(tcb);
    UpdateProbeBwCycle(tcb);
    UpdateMinRtt();
    CheckProbeRtt(tcb);
    AdvanceLatestDeliverySignals();
    m_bandwidth = std::min(MaxBandwidth(), m_shortTermBandwidth);
}

void
TcpBbr3::Enter(Phase phase)
{
    m_phase = phase;
    m_pacingGain = 1;
    m_cwndGain = defaultCwndGain;
    switch (phase)
    {
    case Phase::Startup:
        m_pacingGain = startupPacingGain;
        break;
    case Phase::Drain:
        m_pacingGain = drainPacingGain;
        break;
    case Phase::ProbeBwDown:
        m_pacingGain = downPacingGain;
        break;
    case Phase::ProbeBwUp:
        m_pacingGain = upPacingGain;
        m_cwndGain = upCwndGain;
        break;
    case Phase::ProbeRtt:
        m_cwndGain = probeRttCwndGain;
        break;
    case Phase::ProbeBwCruise:
    case Phase::ProbeBwRefill:
        break;
    }
}

void
TcpBbr3::EnterStartup()
{
    Enter(Phase::Startup);
}

void
TcpBbr3::ResetFullBandwidth()
{
    m_fullBandwidth = 0;
    m_fullCount = 0;
    m_fullNow = false;
}

void
TcpBbr3::CheckFullBandwidthReached()
{
    if (m_fullNow || !m_roundStart || m_rs.appLimited)
    {
        return;
    }
    if (static_cast<double>(m_rs.rate) >= static_cast<double>(m_fullBandwidth) * fullGrowth)
    {
        ResetFullBandwidth();
        m_fullBandwidth = m_rs.rate;
        return;
    }
    ++m_fullCount;
    m_fullNow = m_fullCount >= fullRounds;
    m_fullReached = m_fullReached || m_fullNow;
}

void
TcpBbr3::CheckStartupHighLoss(const TcpSocketState& tcb)
{
    if (m_fullReached)
    {
        return;
    }
    if (m_rs.newlyLost > 0)
    {
        ++m_lossEventsInRound;
    }
    if (!m_lossRoundStart)
    {
        return;
    }
    if (tcb.m_congState == TcpSocketState::CA_RECOVERY &&
        m_lossEventsInRound >= startupFullLossCount && IsInflightTooHigh())
    {
        m_fullReached = true;
        m_longTermInflight = std::max(BdpMultiple(tcb, MaxBandwidth(), 1), m_latestInflight);
    }
    m_lossEventsInRound = 0;
}

void
TcpBbr3::CheckStartupDone(const TcpSocketState& tcb)
{
    CheckStartupHighLoss(tcb);
    if (m_phase == Phase::Startup && m_fullReached)
    {
        Enter(Phase::Drain);
        m_drainStartRound = m_roundCount;
    }
}

void
TcpBbr3::CheckDrainDone(const TcpSocketState& tcb)
{
    if (m_phase == Phase::Drain && (tcb.m_bytesInFlight <= Inflight(tcb, m_bandwidth, 1) ||
                                    m_roundCount > m_drainStartRound + drainRounds))
    {
        StartDown();
    }
}

bool
TcpBbr3::IsInProbeBw() const
{
    return m_phase == Phase::ProbeBwDown || m_phase == Phase::ProbeBwCruise ||
           m_phase == Phase::ProbeBwRefill || m_phase == Phase::ProbeBwUp;
}

bool
TcpBbr3::IsProbingBandwidth() const
{
    return m_phase == Phase::Startup || m_phase == Phase::ProbeBwRefill ||
           m_phase == Phase::ProbeBwUp;
}

void
TcpBbr3::UpdateProbeBwCycle(const TcpSocketState& tcb)
{
    if (!m_fullReached)
    {
        return;
    }
    AdaptLongTermModel(tcb);
    switch (m_phase)
    {
    case Phase::ProbeBwDown:
        if (!IsTimeToProbe(tcb) && IsTimeToCruise(tcb))
        {
            Enter(Phase::ProbeBwCruise);
        }
        break;
    case Phase::ProbeBwCruise:
        IsTimeToProbe(tcb);
        break;
    case Phase::ProbeBwRefill:
        if (m_roundStart)
        {
            m_probeSamples = true;
            StartUp(tcb);
        }
        break;
    case Phase::ProbeBwUp:
        if (IsTimeToGoDown(tcb))
        {
            StartDown();
        }
        break;
    case Phase::Startup:
    case Phase::Drain:
    case Phase::ProbeRtt:
        break;
    }
}

bool
TcpBbr3::IsTimeToProbe(const TcpSocketState& tcb)
{
    const std::uint64_t packets = TargetInflight(tcb) / tcb.m_segmentSize;
    if (m_rs.nowNs <= m_cycleStampNs + m_probeWaitNs &&
        m_roundsSinceProbe < std::min(packets, renoRounds))
    {
        return false;
    }
    StartRefill();
    return true;
}

bool
TcpBbr3::IsTimeToCruise(const TcpSocketState& tcb) const
{
    return tcb.m_bytesInFlight <= InflightWithHeadroom(tcb) &&
           tcb.m_bytesInFlight <= Inflight(tcb, MaxBandwidth(), 1);
}

bool
TcpBbr3::IsTimeToGoDown(const TcpSocketState& tcb)
{
    if (m_rs.windowLimited && tcb.m_cWnd >= m_longTermInflight)
    {
        ResetFullBandwidth();
        m_fullBandwidth = m_rs.rate;
        return false;
    }
    return m_fullNow;
}

void
TcpBbr3::StartDown()
{
    ResetCongestionSignals();
    m_probeUpCount = s_infinite;
    PickProbeWait();
    m_cycleStampNs = m_rs.nowNs;
    m_ackPhase = AckPhase::ProbeStopping;
    StartRound();
    Enter(Phase::ProbeBwDown);
}

void
TcpBbr3::StartRefill()
{
    ResetShortTermModel();
    m_probeUpRounds = 0;
    m_probeUpAcks = 0;
    m_ackPhase = AckPhase::Refilling;
    StartRound();
    Enter(Phase::ProbeBwRefill);
}

void
TcpBbr3::StartUp(const TcpSocketState& tcb)
{
    m_ackPhase = AckPhase::ProbeStarting;
    StartRound();
    ResetFullBandwidth();
    m_fullBandwidth = m_rs.rate;
    Enter(Phase::ProbeBwUp);
    RaiseLongTermSlope(tcb);
}

void
TcpBbr3::PickProbeWait()
{
    m_roundsSinceProbe = m_random->GetInteger(0, 1);
    const double seconds = m_random->GetValue(2, 3);
    m_probeWaitNs = std::llround(seconds * static_cast<double>(nsPerSecond));
}

void
TcpBbr3::CheckProbeRtt(TcpSocketState& tcb)
{
    if (m_phase != Phase::ProbeRtt && m_probeRttExpired && !m_idleRestart)
    {
        SaveWindow(tcb);
        Enter(Phase::ProbeRtt);
        m_probeRttDoneNs = 0;
        m_lowFrom = m_delivered;
        m_ackPhase = AckPhase::ProbeStopping;
        StartRound();
    }
    if (m_phase == Phase::ProbeRtt)
    {
        HandleProbeRtt(tcb);
    }
    if (m_rs.delivered > 0)
    {
        m_idleRestart = false;
    }
}

void
TcpBbr3::HandleProbeRtt(TcpSocketState& tcb)
{
    m_lowTo = m_delivered + tcb.m_bytesInFlight; // MarkConnectionAppLimited()
    if (m_probeRttDoneNs == 0)
    {
        if (tcb.m_bytesInFlight <= ProbeRttWindow(tcb))
        {
            m_probeRttDoneNs = m_rs.nowNs + probeRttDurationNs;
            m_probeRttRoundDone = false;
            StartRound();
        }
        return;
    }
    m_probeRttRoundDone = m_probeRttRoundDone || m_roundStart;
    if (m_probeRttRoundDone)
    {
        CheckProbeRttDone(tcb, m_rs.nowNs);
    }
}

void
TcpBbr3::CheckProbeRttDone(TcpSocketState& tcb, std::int64_t nowNs)
{
    if (m_probeRttDoneNs == 0 || nowNs <= m_probeRttDoneNs)
    {
        return;
    }
    m_rs.nowNs = nowNs;
    m_probeRttMinStampNs = nowNs;
    RestoreWindow(tcb);
    ResetShortTermModel();
    if (m_fullReached)
    {
        StartDown();
        Enter(Phase::ProbeBwCruise);
    }
    else
    {
        EnterStartup();
    }
}

void
TcpBbr3::HandleRestartFromIdle(TcpSocketState& tcb)
{
    const std::int64_t now = Simulator::Now().GetNanoSeconds();
    m_idleRestart = true;
    m_extraAckedStartNs = now;
    if (IsInProbeBw())
    {
        SetPacingRate(tcb, 1);
    }
    else if (m_phase == Phase::ProbeRtt)
    {
        CheckProbeRttDone(tcb, now);
    }
}

TcpBbr3::Phase
TcpBbr3::GetPhase() const
{
    return m_phase;
}

double
TcpBbr3::PacingGain() const
{
    return m_pacingGain;
}

double
TcpBbr3::CwndGain() const
{
    return m_cwndGain;
}

std::uint64_t
TcpBbr3::MaxBandwidth() const
{
    return std::max(m_maxBandwidths[0], m_maxBandwidths[1]);
}

std::uint64_t
TcpBbr3::ShortTermBandwidth() const
{
    return m_shortTermBandwidth;
}

std::uint64_t
TcpBbr3::ShortTermInflight() const
{
    return m_shortTermInflight;
}

std::uint64_t
TcpBbr3::LongTermInflight() const
{
    return m_longTermInflight;
}

} // namespace ns3
