// SPDX-License-Identifier: GPL-2.0-only
// Finds out whether a recovery or timeout was spurious, as Linux does. Eifel (RFC 3522) compares
// the timestamp that an acknowledgement echoes with that of the first retransmission. DSACKs (RFC
// 3708) may report every retransmission as needless. F-RTO with SACK (RFC 5682, section 3.1) sends
// new data after a timeout and looks whether data that was sent once arrives. It is a function of
// acknowledgements and changes no window.
#pragma once

#include "bulk-tcp/model/scoreboard.h"

#include <algorithm>
#include <cstdint>

namespace ns3
{

/// SpuriousLossDetector is that of one sender.
class SpuriousLossDetector
{
  public:
    /// Begins to watch a reduction. `una` is the first byte that is not acknowledged, and
    /// `repeatsOut` bytes that were sent again before are still on the way.
    void Begin(std::uint64_t una, std::uint64_t repeatsOut);

    /// Begins F-RTO after a timeout. `highTx` is the first byte that was never sent.
    void BeginForward(std::uint64_t highTx)
    {
        m_forward = Forward::Waits;
        m_forwardEnd = highTx;
    }

    /// Stops watching: the reduction stays as it is, or is undone.
    void End()
    {
        m_isWatching = false;
        m_forward = Forward::Off;
    }

    bool IsWatching() const
    {
        return m_isWatching;
    }

    /// Notes that `length` bytes are sent again at the timestamp `nowMs`.
    void OnRetransmitted(std::uint32_t nowMs, std::uint32_t length);

    /// Notes that a DSACK reports a needless retransmission of `length` bytes up to `end`.
    void OnDuplicate(std::uint64_t end, std::uint64_t length);

    /// Returns whether DSACKs have reported all retransmissions of the reduction that is watched.
    bool AreAllNeedless() const
    {
        return m_isWatching && m_hasRepeated && m_notReported == 0;
    }

    /// Returns whether an acknowledgement of new data that echoes `echoMs` is that of an original:
    /// the timestamp is older than the first retransmission (Linux's tcp_tsopt_ecr_before). A
    /// timestamp of 0 stands for none.
    bool IsOfOriginal(std::uint32_t echoMs) const
    {
        return echoMs != 0 && m_hasFirst && static_cast<std::int32_t>(echoMs - m_firstMs) < 0;
    }

    /// Takes an acknowledgement after a timeout, which leaves the bytes from `una` to `highTx`
    /// unacknowledged. Returns whether F-RTO finds the timeout spurious.
    bool IsForwardSpurious(const Scoreboard::Progress& progress,
                           std::uint64_t una,
                           std::uint64_t highTx);

    /// Returns whether new data goes out before lost segments (RFC 5682, step 2b). F-RTO gives up
    /// if there is none.
    bool PutsNewDataFirst(bool hasNewData);

  private:
    /// Forward is the step of F-RTO.
    enum class Forward
    {
        Off,
        Waits,   ///< for the first acknowledgement after the timeout
        Sends,   ///< new data before lost segments
        HasSent, ///< new data, and waits for what it brings
    };

    bool m_isWatching = false;
    bool m_hasRepeated = false; ///< something that DSACKs could report
    bool m_hasFirst = false;    ///< m_firstMs is known
    Forward m_forward = Forward::Off;
    std::uint32_t m_firstMs = 0;     ///< timestamp of the first retransmission
    std::uint64_t m_una = 0;         ///< Linux's undo_marker
    std::uint64_t m_notReported = 0; ///< bytes sent again that no DSACK has reported
    std::uint64_t m_forwardEnd = 0;  ///< the first byte never sent at the timeout
};

} // namespace ns3
