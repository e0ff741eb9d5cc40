// SPDX-License-Identifier: GPL-2.0-only
// What ns-3's own TCP and bulk-tcp's sockets do each in their own way for a framed stream: how a
// socket is made, and what it tells of the stream that it sends.
#pragma once

#include "training-network/model/message-transport.h"

#include "ns3/callback.h"
#include "ns3/ipv4-address.h"
#include "ns3/node.h"
#include "ns3/socket.h"

#include <cstdint>
#include <memory>
#include <string>

namespace ns3
{

/// The sending socket of a connection. Offsets count from the first byte of the stream.
class StreamSocket
{
  public:
    virtual ~StreamSocket() = default;

    virtual Socket& Get() const = 0;

    /// Payload of a full segment in bytes; known once the socket connects.
    virtual std::uint32_t SegmentSize() const = 0;

    /// Bytes of the stream that were given to the network for the first time.
    virtual std::uint64_t Carried() const = 0;

    /// How many of the `written` bytes that the socket was given are acknowledged.
    virtual std::uint64_t Acknowledged(std::uint64_t written) const = 0;

    /// All but `outstanding` and `failed`, which the socket does not know.
    virtual FlowState State() const = 0;

    /// Is called whenever Carried() has grown, while the socket sends and can take nothing. Null:
    /// nobody.
    virtual void SetCarriedCallback(Callback<void> carried) = 0;
};

/// Makes the sockets of a transport.
class StreamSockets
{
  public:
    virtual ~StreamSockets() = default;

    /// `name` numbers the random streams of the connection's congestion control.
    virtual std::unique_ptr<StreamSocket> MakeSender(Ptr<Node> node,
                                                     const std::string& name) const = 0;

    /// A socket that listens at `address`, at an ephemeral port.
    virtual Ptr<Socket> MakeListener(Ptr<Node> node, Ipv4Address address) const = 0;
};

} // namespace ns3
