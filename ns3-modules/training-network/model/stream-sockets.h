// SPDX-License-Identifier: GPL-2.0-only
// Defines what a framed stream needs of ns-3's own TCP sockets and of bulk-tcp's: how a socket is
// made, and what it tells of the stream that it sends.
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

/// StreamSocket is the sending socket of a connection. Offsets count from the first byte of the
/// stream.
class StreamSocket
{
  public:
    virtual ~StreamSocket() = default;

    virtual Socket& Get() const = 0;

    /// Returns the payload of a full segment in bytes, which is known once the socket connects.
    virtual std::uint32_t SegmentSize() const = 0;

    /// Returns the bytes of the stream that were given to the network at least once.
    virtual std::uint64_t Carried() const = 0;

    /// Returns how many of the `written` bytes that the socket was given are acknowledged.
    virtual std::uint64_t Acknowledged(std::uint64_t written) const = 0;

    /// Returns the state without `outstanding`, `failed` and `acknowledgedBytes`, which the socket
    /// does not know.
    virtual FlowState State() const = 0;

    /// Sets a callback that is called whenever Carried() has grown. The socket is then sending and
    /// can't take data. A null callback is not called.
    virtual void SetCarriedCallback(Callback<void> carried) = 0;
};

/// StreamSockets makes the sockets of a transport.
class StreamSockets
{
  public:
    virtual ~StreamSockets() = default;

    /// Makes a sending socket. The number of its control's random stream derives from `name`.
    virtual std::unique_ptr<StreamSocket> MakeSender(Ptr<Node> node,
                                                     const std::string& name) const = 0;

    /// Makes a socket that listens at `address`, at an ephemeral port.
    virtual Ptr<Socket> MakeListener(Ptr<Node> node, Ipv4Address address) const = 0;
};

} // namespace ns3
