// SPDX-License-Identifier: GPL-2.0-only
// Follows draft-ietf-ccwg-bbr-06, 5.3.1 and 5.3.2.
#include "bulk-tcp/model/bbr3-startup.h"

#include "bulk-tcp/model/bbr3-control.h"

#include <algorithm>

namespace ns3
{

namespace
{

constexpr double fullGrowth = 1.25;
constexpr std::uint32_t fullRounds = 3;
constexpr std::uint32_t startupFullLossCount = 6;
constexpr std::uint64_t drainRounds = 3;

} // namespace

void
Bbr3Startup::Reset(std::uint64_t bandwidth)
{
    m_bandwidth = bandwidth;
    m_rounds = 0;
    m_isFullNow = false;
}

void
Bbr3Startup::CheckBandwidth(const Bbr3PathModel& model)
{
    if (m_isFullNow || !model.IsRoundStart() || model.rs.appLimited)
    {
        return;
    }
    if (static_cast<double>(model.rs.rate) >= static_cast<double>(m_bandwidth) * fullGrowth)
    {
        Reset(model.rs.rate);
        return;
    }
    ++m_rounds;
    m_isFullNow = m_rounds >= fullRounds;
    m_isFull = m_isFull || m_isFullNow;
}

bool
Bbr3Startup::CheckLoss(const TcpSocketState& tcb, Bbr3PathModel& model)
{
    if (m_isFull)
    {
        return false;
    }
    if (model.rs.newlyLost > 0)
    {
        ++m_lossEvents;
    }
    if (!model.IsLossRoundStart())
    {
        return false;
    }
    if (tcb.m_congState == TcpSocketState::CA_RECOVERY && m_lossEvents >= startupFullLossCount &&
        model.IsInflightTooHigh())
    {
        m_isFull = true;
        m_isFullNow = true; // A.2 has it so; 5.3.1.3 does not say it
        model.longTermInflight = std::max(
            Bbr3Control::BdpMultiple(tcb, model, model.MaxBandwidth(), 1), model.LatestInflight());
    }
    m_lossEvents = 0;
    return m_isFull;
}

bool
Bbr3Drain::IsDone(const TcpSocketState& tcb, const Bbr3PathModel& model) const
{
    return tcb.m_bytesInFlight <= Bbr3Control::Inflight(tcb, model, model.Bandwidth()) ||
           model.RoundCount() > m_beginRound + drainRounds;
}

} // namespace ns3
