// SPDX-License-Identifier: GPL-2.0-only
// BBRv3's ProbeBW (draft-ietf-ccwg-bbr-05, 5.3.3): the cycle of Down (5.3.3.1), Cruise (5.3.3.2),
// Refill (5.3.3.3) and Up (5.3.3.4), when it moves on, and what its probes teach of the data that
// the path carries (5.5.10).
#pragma once

#include "bulk-tcp/model/bbr3-path-model.h"
#include "bulk-tcp/model/bbr3-phase.h"
#include "bulk-tcp/model/bbr3-startup.h"

#include <ns3/random-variable-stream.h>
#include <ns3/tcp-socket-state.h>

#include <cstdint>

namespace ns3
{

class Bbr3ProbeBw
{
  public:
    Bbr3ProbeBw();

    /// Numbers the stream that the times between probes are drawn from.
    void SetStream(std::int64_t stream);

    void StartDown(Bbr3PathModel& model, Bbr3Phase& phase);

    /// Moves on where it is time; in another phase it only learns.
    void
    Update(const TcpSocketState& tcb, Bbr3PathModel& model, Bbr3Phase& phase, Bbr3Startup& full);

    /// An acknowledgement reports loss. True where a probe has been too much: Up is over.
    bool OnLoss(const TcpSocketState& tcb, Bbr3PathModel& model, const Bbr3Phase& phase);

    /// What is in flight is no probe any more.
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
    std::uint64_t m_roundsBefore = 0; ///< of the wait: those drawn at its beginning,
    std::uint64_t m_waitRound = 0;    ///< and the number of the round then
    std::uint32_t m_upRounds = 0;
    std::uint64_t m_upAcks = 0; ///< bytes
    std::uint64_t m_upCount =
        Bbr3PathModel::s_infinite; ///< bytes acknowledged for one byte of growth
};

} // namespace ns3
