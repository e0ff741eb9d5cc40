// SPDX-License-Identifier: GPL-2.0-only
// Sets BBRv3's pacing rate and congestion window from the model and the phase
// (draft-ietf-ccwg-bbr-06, 5.6).
#pragma once

#include "bulk-tcp/model/bbr3-path-model.h"
#include "bulk-tcp/model/bbr3-phase.h"

#include <ns3/tcp-socket-state.h>

#include <cstdint>

namespace ns3
{

/// Bbr3Control derives rate and window, which it writes to the socket's state.
class Bbr3Control
{
  public:
    // Pacing rate (5.6.2). Before the first measured round trip it is the initial window per
    // millisecond.
    void InitPacingRate(TcpSocketState& tcb, const Bbr3Phase& phase);
    void
    SetPacingRate(TcpSocketState& tcb, const Bbr3PathModel& model, double gain, bool isFull) const;

    // Congestion window (5.6.4).
    void SetWindow(TcpSocketState& tcb,
                   const Bbr3PathModel& model,
                   const Bbr3Phase& phase,
                   bool isFull) const;
    void SaveWindow(const TcpSocketState& tcb, const Bbr3Phase& phase);
    void RestoreWindow(TcpSocketState& tcb) const;

    /// Returns whether the connection is in fast recovery or repairs a timeout.
    static bool IsRecovering(const TcpSocketState& tcb)
    {
        return tcb.m_congState == TcpSocketState::CA_RECOVERY ||
               tcb.m_congState == TcpSocketState::CA_LOSS;
    }

    // Each of these returns how many bytes may be in flight. `bandwidth` is in bit/s.
    static std::uint64_t BdpMultiple(const TcpSocketState& tcb,
                                     const Bbr3PathModel& model,
                                     std::uint64_t bandwidth,
                                     double gain);
    static std::uint64_t
    Inflight(const TcpSocketState& tcb, const Bbr3PathModel& model, std::uint64_t bandwidth);
    static std::uint64_t InflightWithHeadroom(const TcpSocketState& tcb,
                                              const Bbr3PathModel& model);
    static std::uint64_t TargetInflight(const TcpSocketState& tcb, const Bbr3PathModel& model);
    static std::uint64_t ProbeRttWindow(const TcpSocketState& tcb, const Bbr3PathModel& model);

  private:
    bool m_rttSeen = false; ///< the pacing rate is based on a measured round trip
    std::uint64_t m_priorWindow = 0;
};

} // namespace ns3
