// SPDX-License-Identifier: GPL-2.0-only
// Defines what the packet-level network needs of a transport protocol: directed connections between
// two nodes, which carry messages whole, once and in order. The two ends of a connection share
// nothing but the bytes between them, so that they can sit on two hosts.
#pragma once

#include "execution/network.h"
#include "units/bytes.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <string>

namespace ns3
{

/// ConnectionNumber counts the connections of a transport in the order of opening, from 0.
using ConnectionNumber = std::uint32_t;

/// MessageNumber names a message in its observer's calls. The caller of Send chooses it and uses
/// each number once.
using MessageNumber = std::uint64_t;

/// FlowState is the present state of a connection, with what it has carried since it was opened.
struct FlowState
{
    geotrain::Bytes congestionWindow;
    Time roundTripTime;                 ///< the sender's estimate; 0 before the first
    geotrain::Bytes inFlight;           ///< the sender's estimate
    geotrain::Bytes retransmittedBytes; ///< bytes of the stream sent again
    geotrain::Bytes acknowledgedBytes;  ///< bytes of the stream that are acknowledged
    bool outstanding = false;           ///< some data handed over is not acknowledged yet
    bool failed = false;
};

/// A TransportObserver is told of events at their simulated time. It may hand over new messages in
/// a call.
class TransportObserver
{
  public:
    virtual ~TransportObserver() = default;

    /// The first payload byte of `message` has reached the receiver.
    virtual void OnFirstByte(MessageNumber message) = 0;

    /// The last payload byte of `message` was given to the network for the first time.
    virtual void OnSent(MessageNumber message) = 0;

    /// All payload bytes of `message` have reached the receiver.
    virtual void OnDelivered(MessageNumber message) = 0;

    /// All data that was handed to `connection` is acknowledged.
    virtual void OnDrained(ConnectionNumber connection) = 0;

    /// `connection` has failed and carries nothing more, and `message` was not delivered. This is
    /// called for each such message in the order of sending, and at once for a message that is
    /// handed over later.
    virtual void
    OnFailed(ConnectionNumber connection, MessageNumber message, const std::string& reason) = 0;
};

/// MessageTransport is the interface.
class MessageTransport
{
  public:
    virtual ~MessageTransport() = default;

    /// Sets who is told of events. Call it once, before the first Open. The observer outlives the
    /// last event.
    virtual void SetObserver(TransportObserver& observer) = 0;

    /// Opens a connection that carries payload from `source` to `destination`. Messages may be
    /// handed over at once; they wait until the connection is established. `trafficClass`
    /// is that of its packets (WanTopology::classes), which have its mark.
    virtual ConnectionNumber Open(geotrain::NodeIndex source,
                                  geotrain::NodeIndex destination,
                                  std::uint32_t trafficClass = 0) = 0;

    /// Hands over a message of `size`, at least 1 byte. The observer is not called before this
    /// returns.
    virtual void Send(ConnectionNumber connection, MessageNumber message, geotrain::Bytes size) = 0;

    /// Returns the least size of a message that is worth an event of its own on one of `connections`
    /// of a pair (geotrain::Network::LeastChunk). The default is 0.
    virtual geotrain::Bytes LeastMessage(geotrain::NodeIndex /*source*/,
                                         geotrain::NodeIndex /*destination*/,
                                         std::uint32_t /*connections*/) const
    {
        return {};
    }

    virtual FlowState State(ConnectionNumber connection) const = 0;

    /// Ends the program with a message unless each connection's bytes agree: the received bytes
    /// must equal the bytes carried for the first time, and, if nothing is outstanding, the bytes
    /// handed over.
    virtual void CheckConservation() const = 0;
};

} // namespace ns3
