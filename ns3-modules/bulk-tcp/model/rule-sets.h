// SPDX-License-Identifier: GPL-2.0-only
// Makes the parts of a connection between which BulkTcpOptions choose: those of a modern TCP or
// those of ns-3's sockets. No other code asks which of them a connection has.
#pragma once

#include "bulk-tcp/model/bulk-tcp-options.h"
#include "bulk-tcp/model/loss-recovery.h"
#include "bulk-tcp/model/retransmission-timeout.h"
#include "bulk-tcp/model/window-rules.h"

#include <memory>

namespace ns3
{

std::unique_ptr<LossRecovery> MakeLossRecovery(const BulkTcpOptions& options);
WindowRules MakeWindowRules(const BulkTcpOptions& options);
RetransmissionTimeout MakeRetransmissionTimeout(const BulkTcpOptions& options);

/// ReceiverRules are the rules of a receiver that are too small for parts of their own.
struct ReceiverRules
{
    bool acknowledgesFirstData = false; ///< the first data alone is acknowledged at once
    bool echoesOlderTimestamps = false; ///< against RFC 7323, 4.3, rule 2
    bool acknowledgesPushed = true;     ///< the end of a message doesn't wait (tcp_cleanup_rbuf())
    bool reportsDuplicates = true;      ///< RFC 2883
    bool echoesMarksLate = false;       ///< EcnEcho
};

ReceiverRules MakeReceiverRules(const BulkTcpOptions& options);

/// Returns whether a sender without pacing waits until it can send a burst, as with segmentation
/// offload.
bool SendsInBursts(const BulkTcpOptions& options);

/// Returns whether geotrain's CUBIC leaves the end of slow start to the connection.
bool EndsSlowStartOfCubic(const BulkTcpOptions& options);

} // namespace ns3
