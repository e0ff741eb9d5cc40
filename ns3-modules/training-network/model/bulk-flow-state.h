// SPDX-License-Identifier: GPL-2.0-only
// Reads the state of a connection from a sender of bulk-tcp, over light links or devices.
#pragma once

#include "bulk-tcp/model/bulk-sender.h"
#include "training-network/model/message-transport.h"

namespace ns3
{

/// Returns the state of the sender's connection, without `outstanding` and `failed`.
inline FlowState
FlowStateOf(const BulkSender& sender)
{
    const Ptr<TcpSocketState> state = sender.State();
    FlowState flow;
    flow.congestionWindow = geotrain::Bytes::Of(state->m_cWnd);
    flow.roundTripTime = sender.SmoothedRtt();
    flow.inFlight = geotrain::Bytes::Of(state->m_bytesInFlight);
    flow.retransmittedBytes =
        geotrain::Bytes::Of(static_cast<std::int64_t>(sender.GetCounters().retransmittedBytes));
    flow.acknowledgedBytes = geotrain::Bytes::Of(static_cast<std::int64_t>(sender.Una()));
    return flow;
}

} // namespace ns3
