// SPDX-License-Identifier: GPL-2.0-only
// Decides when BBRv3's Startup and Drain end (draft-ietf-ccwg-bbr-06, 5.3.1 and 5.3.2). Startup
// ends when the pipe is full: the bandwidth stops growing, or too much is lost. Drain ends when the
// queue that Startup built is gone.
#pragma once

#include "bulk-tcp/model/bbr3-path-model.h"

#include <ns3/tcp-socket-state.h>

#include <cstdint>

namespace ns3
{

/// Bbr3Startup decides whether the pipe is full (5.3.1). ProbeBW's Up uses its test of the
/// bandwidth too.
class Bbr3Startup
{
  public:
    bool IsFull() const
    {
        return m_isFull;
    } ///< BBR.full_bw_reached: true for the rest of the connection
    bool IsFullNow() const
    {
        return m_isFullNow;
    } ///< BBR.full_bw_now: since the last Reset()
    std::uint32_t RoundsWithoutGrowth() const
    {
        return m_rounds;
    } ///< BBR.full_bw_count

    /// Begins the test of the bandwidth anew, with `bandwidth` in bit/s to grow from.
    void Reset(std::uint64_t bandwidth);

    /// Declares the pipe not full after all (5.5.11.2).
    void Reopen()
    {
        m_isFull = false;
    }

    /// Declares the pipe full when the bandwidth has not grown by a quarter in three rounds
    /// (5.3.1.2).
    void CheckBandwidth(const Bbr3PathModel& model);

    /// Declares the pipe full when a round of recovery has six acknowledgements that report loss,
    /// and the loss is too high (5.3.1.3). Returns whether it has just done so.
    bool CheckLoss(const TcpSocketState& tcb, Bbr3PathModel& model);

  private:
    bool m_isFull = false;
    bool m_isFullNow = false;
    std::uint64_t m_bandwidth = 0;  ///< BBR.full_bw, bit/s
    std::uint32_t m_rounds = 0;     ///< BBR.full_bw_count: rounds without growth
    std::uint32_t m_lossEvents = 0; ///< acknowledgements in this round that report loss
};

/// Bbr3Drain decides when Drain ends (5.3.2).
class Bbr3Drain
{
  public:
    void Begin(std::uint64_t round)
    {
        m_beginRound = round;
    }

    /// Returns whether the queue is empty or three rounds have passed.
    bool IsDone(const TcpSocketState& tcb, const Bbr3PathModel& model) const;

  private:
    std::uint64_t m_beginRound = 0;
};

} // namespace ns3
