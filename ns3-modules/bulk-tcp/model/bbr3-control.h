// SPDX-License-Identifier: GPL-2.0-only
// BBRv3's pacing rate and congestion window, of the model and the phase (draft-ietf-ccwg-bbr-05,
// 5.6).
#pragma once

#include "bulk-tcp/model/bbr3-path-model.h"
#include "bulk-tcp/model/bbr3-phase.h"

#include <ns3/tcp-socket-state.h>

#include <cstdint>

namespace ns3
{

class Bbr3Control
{
  public:
    // 5.6.2. Before the first round trip is measured the rate is that of the initial window in a
    // millisecond.
    void InitPacingRate(TcpSocketState& tcb, const Bbr3Phase& phase);
    void
    SetPacingRate(TcpSocketState& tcb, const Bbr3PathModel& model, double gain, bool isFull) const;

    // 5.6.4
    void SetWindow(TcpSocketState& tcb,
                   const Bbr3PathModel& model,
                   const Bbr3Phase& phase,
                   bool isFull) const;
    void SaveWindow(const TcpSocketState& tcb, const Bbr3Phase& phase);
    void RestoreWindow(TcpSocketState& tcb) const;

    // How much may be in flight, in bytes.
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
    bool m_rttSeen = false; ///< the pacing rate is of a measured round trip
    std::uint64_t m_priorWindow = 0;
};

} // namespace ns3
