// SPDX-License-Identifier: GPL-2.0-only
// The trace sources of bulk-tcp's socket that tell of its congestion control, under the names of
// ns3::TcpSocketBase. They are connected before the connection, and so its engine, is there; hence
// the socket has sources of its own that repeat those of the engine's TcpSocketState.
#pragma once

#include <ns3/data-rate.h>
#include <ns3/nstime.h>
#include <ns3/sequence-number.h>
#include <ns3/socket.h>
#include <ns3/tcp-socket-state.h>
#include <ns3/traced-callback.h>
#include <ns3/traced-value.h>

#include <cstdint>

namespace ns3
{

class BulkTcpSocketTraces : public Socket
{
  public:
    static TypeId GetTypeId();

  protected:
    /// Repeats from here on what the trace sources of `state` tell.
    void Follow(Ptr<TcpSocketState> state);

    TracedValue<Time> m_rto;

  private:
    TracedCallback<std::uint32_t, std::uint32_t> m_congestionWindow;
    TracedCallback<std::uint32_t, std::uint32_t> m_slowStartThreshold;
    TracedCallback<std::uint32_t, std::uint32_t> m_bytesInFlight;
    TracedCallback<Time, Time> m_rtt;
    TracedCallback<TcpSocketState::TcpCongState_t, TcpSocketState::TcpCongState_t> m_congState;
    TracedCallback<SequenceNumber32, SequenceNumber32> m_nextSequence;
    TracedCallback<SequenceNumber32, SequenceNumber32> m_highestSequence;
    TracedCallback<DataRate, DataRate> m_pacingRate;
};

} // namespace ns3
