// SPDX-License-Identifier: GPL-2.0-only
// What carries bytes between nodes: a clock, the connections of each pair of nodes, and a transfer
// on one of them. Striping, temporal sharing and collectives are written over Transfer, once, for
// every network (message-layer.h). A network says of what kind it is (network-kind.h), so that nobody
// has to know which kinds there are.
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

/// Numbers a transfer of one network, from 1, in the order of the calls.
using TransferNumber = std::uint64_t;

/// Stands for all connections of a pair, in a network that spreads messages over them by itself.
constexpr std::uint32_t everyConnection = std::numeric_limits<std::uint32_t>::max();

struct TransferRequest
{
    NodeIndex source = 0;
    NodeIndex destination = 0; ///< another node than `source`
    /// Below ConnectionsBetween(source, destination), or everyConnection where the network
    /// SpreadsMessages().
    std::uint32_t connection = 0;
    Bytes size;       ///< payload, at least 1 byte
    Bytes chunk = {}; ///< with everyConnection: what a connection takes at a time, positive
};

struct TransferEvent
{
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

/// What a network has carried since time 0 (the warming of connections is left out).
struct NetworkCounters
{
    Bytes wanPayload;     ///< payload of transfers between data centres, at delivery
    Bytes intraDcPayload; ///< payload of transfers inside a data centre, at delivery
    Bytes
        wanWireBytes; ///< bytes on the wire of the first WAN link of a path: headers, acknowledgements and retransmissions included
    Bytes retransmittedBytes;         ///< payload sent again
    std::uint64_t wanPackets = 0;     ///< packets sent on WAN links; 0 in a network without packets
    std::uint64_t intraDcPackets = 0; ///< packets sent on links inside a data centre
    std::uint64_t droppedPackets = 0; ///< packets lost at queues, policers or by random loss
};

using TransferCallback = std::function<void(const TransferEvent&)>;

class Network
{
  public:
    /// One untimed message of a node pair, spread over all its connections.
    struct WarmUp
    {
        NodeIndex source = 0;
        NodeIndex destination = 0;
        Bytes size; ///< at least 1 byte
    };

    Network() = default;
    virtual ~Network() = default;
    Network(const Network&) = delete;
    Network& operator=(const Network&) = delete;

    /// Says the network's name, whether it has packets, and what of a scenario it ignores.
    virtual const NetworkKind& Kind() const = 0;

    virtual Clock& GetClock() = 0;

    /// Connections from `source` to `destination`, at least 1. Transfers of one connection are
    /// carried in the order of the calls; connections share the path.
    virtual std::uint32_t ConnectionsBetween(NodeIndex source, NodeIndex destination) const = 0;

    /// Carries a message. `callback` is called FirstByte, Sent, Delivered (Sent may come before or
    /// after FirstByte, Delivered is last) or Failed; never before Transfer has returned.
    virtual TransferNumber Transfer(const TransferRequest& request, TransferCallback callback) = 0;

    /// No callback of `transfer` comes any more. What is on the wire stays there.
    virtual void Cancel(TransferNumber transfer) = 0;

    /// Opens the connections of each pair of a job, and of pairs that share a node one after
    /// another. Until time begins, which is with the first transfer or when the clock first runs,
    /// each pair also carries its warm-up message as far as the network can without a trace in
    /// other jobs; see the network. The clock reads 0 when the first call returns. A later call,
    /// for another job, changes neither the time nor connections that stand. Throws
    /// std::logic_error for what the network can't do at this moment.
    virtual void Prepare(const std::vector<WarmUp>& pairs) = 0;

    virtual NetworkCounters Counters() const = 0;

    /// Whether Transfer() takes everyConnection: the network then spreads a message over the
    /// connections of a pair by itself, chunk by chunk, each taken by a connection that is free.
    virtual bool SpreadsMessages() const
    {
        return false;
    }

    /// A hint for a message of which each part goes on from `relay` as soon as it is there, after
    /// the way from `source`: the least size of a part that is worth an event of its own. `size` is
    /// what goes over `relay` in all. The default, 0, gives no hint.
    virtual Bytes PartSize(NodeIndex /*source*/,
                           NodeIndex /*relay*/,
                           NodeIndex /*destination*/,
                           Bytes /*size*/) const
    {
        return {};
    }
};

} // namespace geotrain
