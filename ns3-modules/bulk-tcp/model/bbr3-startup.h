// SPDX-License-Identifier: GPL-2.0-only
// BBRv3's Startup and Drain (draft-ietf-ccwg-bbr-05, 5.3.1 and 5.3.2): when the pipe is full, by
// the bandwidth that no longer grows or by loss, and when the queue that Startup has made is gone.
#pragma once

#include "bulk-tcp/model/bbr3-path-model.h"

#include <ns3/tcp-socket-state.h>

#include <cstdint>

namespace ns3
{

/// 5.3.1. ProbeBW's Up asks the same question of the bandwidth.
class Bbr3Startup
{
  public:
    bool IsFull() const
    {
        return m_isFull;
    } ///< BBR.full_bw_reached: once and for all
    bool IsFullNow() const
    {
        return m_isFullNow;
    } ///< BBR.full_bw_now: since the last Reset()

    void Reset(std::uint64_t bandwidth);

    /// 5.3.1.2: full when the bandwidth has not grown by a quarter in three rounds.
    void CheckBandwidth(const Bbr3PathModel& model);

    /// 5.3.1.3: full when a round of recovery has six acknowledgements that report loss, and too
    /// much of it.
    void CheckLoss(const TcpSocketState& tcb, Bbr3PathModel& model);

  private:
    bool m_isFull = false;
    bool m_isFullNow = false;
    std::uint64_t m_bandwidth = 0;  ///< bit/s
    std::uint32_t m_rounds = 0;     ///< without growth
    std::uint32_t m_lossEvents = 0; ///< in this round
};

/// 5.3.2
class Bbr3Drain
{
  public:
    void Begin(std::uint64_t round)
    {
        m_beginRound = round;
    }

    /// Nothing is queued any more, or three rounds are over.
    bool IsDone(const TcpSocketState& tcb, const Bbr3PathModel& model) const;

  private:
    std::uint64_t m_beginRound = 0;
};

} // namespace ns3
