// SPDX-License-Identifier: GPL-2.0-only
// Gives bulk-tcp's socket the trace sources of congestion control, under the names of
// ns3::TcpSocketBase. Sinks are connected before there is a connection with its engine, so the
// socket has sources of its own, which repeat those of the engine's TcpSocketState.
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

/// BulkTcpSocketTraces is a socket with these trace sources.
class BulkTcpSocketTraces : public Socket
{
  public:
    static TypeId GetTypeId();

  protected:
    /// Repeats the trace sources of `state` from this call on.
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
