// SPDX-License-Identifier: GPL-2.0-only
// What carries bytes between nodes: a clock, the connections of each pair of nodes, and a transfer
// on one of them. Striping, temporal sharing and collectives use Transfer alone, and so are written
// once for every network (message-layer.h). A network says of what kind it is (network-kind.h), so
// that nobody has to know which kinds there are.
#pragma once

#include "execution/clock.h"
#include "execution/network-kind.h"
#include "units/bytes.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace geotrain
{

/// A node of the cluster, counted through its data centres from 0.
using NodeIndex = std::uint32_t;

/// Numbers the transfers of one network, from 1, in the order of the calls.
using TransferNumber = std::uint64_t;

/// Numbers those who share a network and have connections of their own between its nodes: jobs, and what
/// is measured beside them. It is 0 where there is one.
using OwnerIndex = std::uint32_t;

/// Stands for all connections of a pair, in a network that spreads messages over them by itself.
constexpr std::uint32_t everyConnection = std::numeric_limits<std::uint32_t>::max();

/// A TransferRequest says what to carry between which nodes.
struct TransferRequest
{
    NodeIndex source = 0;
    NodeIndex destination = 0; ///< another node than `source`
    /// Number below ConnectionsBetween(source, destination), or everyConnection where the network
    /// SpreadsMessages() of the pair.
    std::uint32_t connection = 0;
    Bytes size;       ///< payload, at least 1 byte
    Bytes chunk = {}; ///< everyConnection: bytes that a connection takes at a time, positive
    OwnerIndex owner = 0; ///< whose connection it is
};

/// A TransferEvent tells what happened to a transfer.
struct TransferEvent
{
    /// Kind says what happened.
    enum class Kind
    {
        FirstByte, ///< the first payload byte arrived at the destination
        Sent, ///< the last payload byte was given to the wire for the first time, at the source
        Delivered, ///< all payload bytes are at the destination, once and in order
        Failed     ///< the transfer ends here; `reason` says why
    };

    Kind kind = Kind::Delivered;
    TransferNumber transfer = 0;
    Instant at;
    std::string reason;
};

/// NetworkCounters hold what a network has carried since time 0, without the warming of
/// connections.
struct NetworkCounters
{
    Bytes wanPayload;     ///< payload of transfers between data centres, at delivery
    Bytes intraDcPayload; ///< payload of transfers inside a data centre, at delivery
    /// Bytes on the wire of each path's first WAN link, including headers, acknowledgements and
    /// retransmissions.
    Bytes wanWireBytes;
    Bytes retransmittedBytes;         ///< payload sent again
    std::uint64_t wanPackets = 0;     ///< packets sent on WAN links; 0 in a network without packets
    std::uint64_t intraDcPackets = 0; ///< packets sent on links inside a data centre
    std::uint64_t droppedPackets = 0; ///< packets lost at queues, policers or by random loss
    std::uint64_t lostPackets = 0;    ///< of these, by random loss and in outages of WAN links
    /// Messages by a formula whose windows may fill a port, at which packets would be lost.
    Bytes withoutRoom;
};

using TransferCallback = std::function<void(const TransferEvent&)>;

/// A Network carries transfers between the nodes of a cluster.
class Network
{
  public:
    /// A WarmUp is an untimed message of a node pair, spread over all its owner's connections.
    struct WarmUp
    {
        NodeIndex source = 0;
        NodeIndex destination = 0;
        Bytes size; ///< at least 1 byte
        OwnerIndex owner = 0;
    };

    Network() = default;
    virtual ~Network() = default;
    Network(const Network&) = delete;
    Network& operator=(const Network&) = delete;

    /// Says the network's name, whether it has packets, and what of a scenario it ignores.
    virtual const NetworkKind& Kind() const = 0;

    virtual Clock& GetClock() = 0;

    /// Returns the number of connections that an owner has from `source` to `destination`, at least 1.
    /// Each connection carries its transfers in the order of the calls; connections share the path.
    virtual std::uint32_t ConnectionsBetween(NodeIndex source, NodeIndex destination) const = 0;

    /// Carries a message. `callback` gets FirstByte, Sent and Delivered, where Sent may come before
    /// or after FirstByte and Delivered is last; or it gets Failed. It is never called before
    /// Transfer has returned.
    virtual TransferNumber Transfer(const TransferRequest& request, TransferCallback callback) = 0;

    /// Cancels a transfer, whose callback is not called any more. What is on the wire stays there.
    virtual void Cancel(TransferNumber transfer) = 0;

    /// Opens the connections of each pair of a job; pairs that share a node follow one another.
    /// Until time begins, with the first transfer or when the clock first runs, each pair also
    /// carries its warm-up message, as far as the network can do so without effect on other jobs;
    /// see each network. The clock reads 0 when the first call returns. A later call, for another
    /// job, changes neither the time nor existing connections. Throws std::logic_error for what the
    /// network can't do at this moment.
    virtual void Prepare(const std::vector<WarmUp>& pairs) = 0;

    virtual NetworkCounters Counters() const = 0;

    /// Returns whether Transfer() takes everyConnection for a pair. The network then spreads a message
    /// over the connections of the pair by itself, chunk by chunk, each taken by a connection that is
    /// free.
    virtual bool SpreadsMessages(NodeIndex /*source*/, NodeIndex /*destination*/) const
    {
        return false;
    }

    /// Returns the least size of a part that is worth an event of its own, for a message that goes
    /// from `source` over `relay` to `destination` and whose parts leave the relay as soon as they
    /// are there. `size` is what goes over `relay` in all. The default, 0, gives no hint.
    virtual Bytes PartSize(NodeIndex /*source*/,
                           NodeIndex /*relay*/,
                           NodeIndex /*destination*/,
                           Bytes /*size*/) const
    {
        return {};
    }

    /// Returns the least size of a chunk that is worth an event of its own on a connection of the
    /// pair: smaller ones would wait for their events and not for the path. The default is 0.
    virtual Bytes LeastChunk(NodeIndex /*source*/, NodeIndex /*destination*/) const
    {
        return {};
    }
};

} // namespace geotrain
