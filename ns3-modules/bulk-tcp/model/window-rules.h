// SPDX-License-Identifier: GPL-2.0-only
// Defines how a sender measures round trips, and how it moves its window beside the decisions of
// the hosted congestion control: as a modern TCP (Linux 6), or as the sockets of ns-3 3.37
// (TcpSocketBase), for comparison with them.
#pragma once

#include "bulk-tcp/model/round-trip-estimator.h"
#include "bulk-tcp/model/scoreboard.h"

#include <ns3/tcp-socket-state.h>

#include <cstdint>

namespace ns3
{

/// WindowRules name what ns-3's sockets do and a modern TCP doesn't.
struct WindowRules
{
    /// Writes the round-trip times that an acknowledgement gives to `rtt` and `tcb`. `echoMs` is
    /// the timestamp that it echoes. Returns whether it ends the timeout's backing off.
    bool MeasureRtt(std::int64_t nowNs,
                    const Scoreboard::Progress& progress,
                    std::uint32_t echoMs,
                    RoundTripEstimator& rtt,
                    TcpSocketState& tcb) const;

    bool measuresTimestamps = false; ///< round trips come from timestamps of milliseconds alone
    bool boundsPacing = false;       ///< by TcpSocketState's MaxPacingRate; otherwise nothing does
    /// Where more is in flight than the window, its pace is that of what is in flight; otherwise of what
    /// is out, SACKed or lost too (Linux: tcp_update_pacing_rate's packets_out).
    bool pacesByFlight = false;
    /// A connection whose SYN was lost keeps its initial window; otherwise it begins with a segment
    /// (RFC 5681, 3.1). Linux cuts the window after two lost SYNs only.
    bool keepsInitialWindow = false;
    bool growsUnused = false; ///< a window grows although it was not the limit
    /// Segments that were SACKed before grow the window again when they are acknowledged; otherwise
    /// not (Linux: tcp_cong_avoid's acked_sacked).
    bool countsSackedAgain = false;
    /// The control hears of one segment per acknowledgement that only SACKs; otherwise of as many as it
    /// SACKs: a receiver that compresses acknowledgements stands for many with one.
    bool countsDuplicates = false;
    /// A reduction starts from the window, also where that was not the limit; otherwise from halfway
    /// between window and flight, as RFC 2861 (section 3.2) and Linux do for a sender that its
    /// application limits. RFC 7661 would take the most that was in flight within a second.
    bool reducesUnused = false;
    bool hasPrrOfNs3 = false; ///< TcpPrrRecovery leads the window down in a recovery
    /// Each cumulative acknowledgement in a recovery reduces the window and sends the next lost
    /// segment again.
    bool reducesByAdvance = false;
    /// A recovery's end sets the window of controls with HasCongControl too.
    bool setsWindowOfAll = false;
    bool answersEachMark = false; ///< CWR (RFC 3168) answers each mark; otherwise each reduction
    /// A recovery or timeout lowers the threshold although it follows a reduction in the same window
    /// of data.
    bool reducesAgain = false;
    /// A fast retransmission counts as in flight with the next segment that the window allows;
    /// otherwise at once.
    bool countsRetransmissionLate = false;
    bool ignoresOldAcks = false; ///< SACK blocks of an acknowledgement below the highest one
    bool neverUndoes = false;    ///< spurious recoveries and timeouts
};

} // namespace ns3
