// SPDX-License-Identifier: GPL-2.0-only
// Runs BBRv3's ProbeBW (draft-ietf-ccwg-bbr-06, 5.3.3): the cycle of Down (5.3.3.1), Cruise
// (5.3.3.2), Refill (5.3.3.3) and Up (5.3.3.4 to 5.3.3.7). It decides when the cycle moves on
// (5.3.3.8), and learns from the probes how many bytes in flight the path carries (5.5.10.2). After
// a probe that lost too much the next one is short (5.3.3.6).
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

    void StartRefill(Bbr3PathModel& model, Bbr3Phase& phase);

    /// Moves to the next phase of the cycle when it is time. Outside ProbeBW it only learns.
    void
    Update(const TcpSocketState& tcb, Bbr3PathModel& model, Bbr3Phase& phase, Bbr3Startup& full);

    /// Takes an acknowledgement that reports loss or a mark. Returns true when a probe was too large,
    /// which ends Up.
    bool OnCongestion(const TcpSocketState& tcb, Bbr3PathModel& model, const Bbr3Phase& phase);

    /// Returns whether the last probe lost too much (BBR.prev_probe_too_high).
    bool WasTooHigh() const
    {
        return m_wasTooHigh;
    }

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

    void
    StartUp(const TcpSocketState& tcb, Bbr3PathModel& model, Bbr3Phase& phase, Bbr3Startup& full);
    void PickWait(const Bbr3PathModel& model);
    bool IsTimeToProbe(const TcpSocketState& tcb, const Bbr3PathModel& model) const;
    static bool IsTimeToCruise(const TcpSocketState& tcb, const Bbr3PathModel& model);
    bool IsTimeToGoDown(const TcpSocketState& tcb, const Bbr3PathModel& model, Bbr3Startup& full);

    /// Returns whether it has begun Refill.
    bool FollowFeedback(Bbr3PathModel& model, Bbr3Phase& phase);
    void AdaptLongTermModel(const TcpSocketState& tcb, Bbr3PathModel& model, bool isUp);
    void RaiseSlope(const TcpSocketState& tcb);
    void ProbeUpward(const TcpSocketState& tcb, Bbr3PathModel& model);

    Ptr<UniformRandomVariable> m_random;
    AckPhase m_ackPhase = AckPhase::Init;
    bool m_hasSamples = false;    ///< BBR.is_bw_probe_sample
    bool m_wasTooHigh = false;    ///< BBR.prev_probe_too_high
    bool m_wasPrecaution = false; ///< BBR.prev_probe_precautionary
    std::int64_t m_cycleStampNs = 0;
    std::int64_t m_waitNs = 0;
    std::uint64_t m_roundsBefore = 0; ///< rounds drawn by PickWait() as passed already
    std::uint64_t m_waitRound = 0;    ///< number of the round at the beginning of the wait
    std::uint32_t m_upRounds = 0;     ///< BBR.bw_probe_up_rounds
    std::uint64_t m_upAcked = 0;      ///< BBR.bw_probe_up_acked, bytes
    /// BBR.probe_up_acked_per_inc: bytes to be acknowledged per segment of growth.
    std::uint64_t m_upAckedPerIncrease = Bbr3PathModel::s_infinite;
};

} // namespace ns3
