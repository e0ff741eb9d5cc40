// SPDX-License-Identifier: GPL-2.0-only
// Runs BBRv3's ProbeBW (draft-ietf-ccwg-bbr-05, 5.3.3): the cycle of Down (5.3.3.1), Cruise
// (5.3.3.2), Refill (5.3.3.3) and Up (5.3.3.4). It decides when the cycle moves on, and learns from
// the probes how many bytes in flight the path carries (5.5.10).
#pragma once

#include "bulk-tcp/model/bbr3-path-model.h"
#include "bulk-tcp/model/bbr3-phase.h"
#include "bulk-tcp/model/bbr3-startup.h"

#include <ns3/random-variable-stream.h>
#include <ns3/tcp-socket-state.h>

#include <cstdint>

namespace ns3
{

/// Bbr3ProbeBw is the state of the cycle.
class Bbr3ProbeBw
{
  public:
    Bbr3ProbeBw();

    /// Sets the number of the random stream from which the times between probes are drawn.
    void SetStream(std::int64_t stream);

    void StartDown(Bbr3PathModel& model, Bbr3Phase& phase);

    /// Moves to the next phase of the cycle when it is time. Outside ProbeBW it only learns.
    void
    Update(const TcpSocketState& tcb, Bbr3PathModel& model, Bbr3Phase& phase, Bbr3Startup& full);

    /// Takes an acknowledgement that reports loss. Returns true when a probe was too large, which
    /// ends Up.
    bool OnLoss(const TcpSocketState& tcb, Bbr3PathModel& model, const Bbr3Phase& phase);

    /// Declares that the data in flight is no probe.
    void StopProbing();

  private:
    enum class AckPhase
    {
        Init,
        Refilling,
        ProbeStarting,
        ProbeFeedback,
        ProbeStopping
    };

    void StartRefill(Bbr3PathModel& model, Bbr3Phase& phase);
    void
    StartUp(const TcpSocketState& tcb, Bbr3PathModel& model, Bbr3Phase& phase, Bbr3Startup& full);
    void PickWait(const Bbr3PathModel& model);
    bool IsTimeToProbe(const TcpSocketState& tcb, const Bbr3PathModel& model) const;
    static bool IsTimeToCruise(const TcpSocketState& tcb, const Bbr3PathModel& model);
    static bool
    IsTimeToGoDown(const TcpSocketState& tcb, const Bbr3PathModel& model, Bbr3Startup& full);
    void
    AdaptLongTermModel(const TcpSocketState& tcb, Bbr3PathModel& model, const Bbr3Phase& phase);
    void RaiseSlope(const TcpSocketState& tcb);
    void ProbeUpward(const TcpSocketState& tcb, Bbr3PathModel& model);

    Ptr<UniformRandomVariable> m_random;
    AckPhase m_ackPhase = AckPhase::Init;
    bool m_hasSamples = false; ///< BBR.bw_probe_samples
    std::int64_t m_cycleStampNs = 0;
    std::int64_t m_waitNs = 0;
    std::uint64_t m_roundsBefore = 0; ///< rounds drawn by PickWait() as passed already
    std::uint64_t m_waitRound = 0;    ///< number of the round at the beginning of the wait
    std::uint32_t m_upRounds = 0;
    std::uint64_t m_upAcks = 0;                          ///< bytes
    std::uint64_t m_upCount = Bbr3PathModel::s_infinite; ///< bytes acknowledged per byte of growth
};

} // namespace ns3
