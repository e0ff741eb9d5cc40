// SPDX-License-Identifier: GPL-2.0-only
// Undoes the reduction of a recovery or timeout that turns out to be spurious: restores window and
// threshold (RFC 4015, section 3), and takes back what was found lost and not sent again. A
// reduction that answers a mark of ECN is required and stays. Linux's tcp_fastretrans_alert and
// tcp_undo_cwnd_reduction decide alike.
#pragma once

#include "bulk-tcp/model/congestion-window.h"
#include "bulk-tcp/model/loss-recovery.h"
#include "bulk-tcp/model/spurious-loss-listener.h"

#include <ns3/tcp-socket-state.h>

#include <cstdint>

namespace ns3
{

/// ReductionUndo is that of one sender.
class ReductionUndo
{
  public:
    /// `losses` outlives this.
    ReductionUndo(LossRecovery& losses, const CongestionWindow& window);

    /// Begins to watch a recovery. The caller calls it before anything is reduced.
    void Watch();

    /// Begins to watch a timeout before anything is reduced. `isFirst` says that it is the first one
    /// of its loss.
    void WatchTimeout(bool isFirst);

    /// Stops watching, since the window is reduced for another reason.
    void End();

    bool IsWatching() const
    {
        return m_losses.Spurious().IsWatching();
    }

    /// Forbids to undo the reduction that is watched if `ack` echoes a mark of ECN.
    void NoteMark(const PacketRecord& ack);

    /// Returns whether window and threshold may be restored.
    bool IsAllowed() const
    {
        return m_isAllowed;
    }

    /// Undoes the reduction that is watched if an acknowledgement with `progress` shows that it was
    /// spurious, and tells the control. `recover` is where the recovery ends. Returns whether it
    /// was spurious.
    bool
    TryUndo(const PacketRecord& ack, const Scoreboard::Progress& progress, std::uint64_t recover);

    /// Returns whether no more losses are to be looked for and repaired before the next
    /// acknowledgement, since the recovery is probably spurious.
    bool HoldsRepairs() const
    {
        return m_holdsRepairs;
    }

    /// Returns whether new data goes out before lost segments. `hasNewData` says that there is some
    /// that the receiver has room for.
    bool PutsNewDataFirst(bool hasNewData)
    {
        return m_holdsRepairs || m_losses.Spurious().PutsNewDataFirst(hasNewData);
    }

    /// Returns how many reductions were undone.
    std::uint64_t Count() const
    {
        return m_count;
    }

  private:
    bool IsSpurious(const PacketRecord& ack,
                    const Scoreboard::Progress& progress,
                    std::uint64_t recover);
    bool IsRecoverySpurious(const PacketRecord& ack,
                            const Scoreboard::Progress& progress,
                            std::uint64_t recover);
    bool IsTimeoutSpurious(const PacketRecord& ack, const Scoreboard::Progress& progress);
    void Restore();

    LossRecovery& m_losses;
    Ptr<TcpSocketState> m_state;
    SpuriousLossListener* m_listener; ///< the control; null if it restores nothing by itself
    bool m_neverUndoes;
    bool m_isAllowed = false;
    bool m_holdsRepairs = false;
    std::uint32_t m_window = 0;    ///< bytes, before the reduction
    std::uint32_t m_threshold = 0; ///< bytes, before the reduction
    std::uint64_t m_count = 0;
};

} // namespace ns3
