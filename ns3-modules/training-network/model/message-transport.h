// SPDX-License-Identifier: GPL-2.0-only
// What the packet-level network asks of a transport protocol: directed connections between two
// nodes that carry messages whole, once and in order. The two ends of a connection share nothing
// but the bytes between them, so that they can sit on two hosts.
#pragma once

#include "execution/network.h"
#include "units/bytes.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <string>

namespace ns3
{

/// Counts the connections of a transport in the order of opening, from 0.
using ConnectionNumber = std::uint32_t;

/// Names a message in its observer's calls; chosen by the caller of Send, each number once.
using MessageNumber = std::uint64_t;

/// How a connection stands, and what it has carried since it was opened.
struct FlowState
{
    geotrain::Bytes congestionWindow;
    Time roundTripTime;                 ///< the sender's estimate; 0 before the first
    geotrain::Bytes inFlight;           ///< the sender's estimate
    geotrain::Bytes retransmittedBytes; ///< bytes of the stream sent again
    bool outstanding = false;           ///< something handed over is not acknowledged yet
    bool failed = false;
};

/// Told at the simulated time at which the thing happens. A call may hand over new messages.
class TransportObserver
{
  public:
    virtual ~TransportObserver() = default;

    /// The first payload byte of `message` is at the receiver.
    virtual void OnFirstByte(MessageNumber message) = 0;

    /// The last payload byte of `message` was given to the network for the first time.
    virtual void OnSent(MessageNumber message) = 0;

    /// All payload bytes of `message` are at the receiver.
    virtual void OnDelivered(MessageNumber message) = 0;

    /// Nothing that was handed to `connection` is unacknowledged.
    virtual void OnDrained(ConnectionNumber connection) = 0;

    /// `connection` carries nothing any more, `message` was not delivered. Called for each such
    /// message, in the order of sending, and at once for one that is handed over later.
    virtual void
    OnFailed(ConnectionNumber connection, MessageNumber message, const std::string& reason) = 0;
};

class MessageTransport
{
  public:
    virtual ~MessageTransport() = default;

    /// Who is told; set once, before the first Open, and outlives the last event.
    virtual void SetObserver(TransportObserver& observer) = 0;

    /// A connection that carries payload from `source` to `destination`. Messages may be handed
    /// over at once; they wait until the connection stands.
    virtual ConnectionNumber Open(geotrain::NodeIndex source, geotrain::NodeIndex destination) = 0;

    /// Hands over a message of `size`, at least 1 byte. The observer is never called before this
    /// returns.
    virtual void Send(ConnectionNumber connection, MessageNumber message, geotrain::Bytes size) = 0;

    virtual FlowState State(ConnectionNumber connection) const = 0;

    /// Ends the program with a message unless each connection's bytes agree: what was received is
    /// what was carried for the first time, and what was handed over if nothing is outstanding.
    virtual void CheckConservation() const = 0;
};

} // namespace ns3
