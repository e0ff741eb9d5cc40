// SPDX-License-Identifier: GPL-2.0-only
// Makes the parts of a connection between which BulkTcpOptions choose: those of a modern TCP or
// those of ns-3's sockets. No other code asks which of them a connection has.
#pragma once

#include "bulk-tcp/model/bulk-tcp-options.h"
#include "bulk-tcp/model/ecn-echo.h"
#include "bulk-tcp/model/loss-recovery.h"
#include "bulk-tcp/model/retransmission-timeout.h"
#include "bulk-tcp/model/window-rules.h"

#include <memory>

namespace ns3
{

std::unique_ptr<LossRecovery> MakeLossRecovery(const BulkTcpOptions& options);
std::unique_ptr<const WindowRules> MakeWindowRules(const BulkTcpOptions& options);
RetransmissionTimeout MakeRetransmissionTimeout(const BulkTcpOptions& options);
std::unique_ptr<EcnEcho> MakeEcnEcho(const BulkTcpOptions& options);

} // namespace ns3
