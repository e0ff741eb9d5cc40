// What the executor asks of a network: a clock, to carry a message between two nodes, and to run a
// collective of many. Striping, temporal sharing and ring collectives are written over Transfer, once, for
// every network; a network that can do a collective better overrides JoinCollective.
#pragma once

#include "execution/clock.h"
#include "units/bytes.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace geotrain
{

/// A node of the cluster, counted through its data centres from 0.
using NodeIndex = std::uint32_t;

/// Numbers a transfer of one network, from 1, in the order of the calls.
using TransferNumber = std::uint64_t;

struct TransferRequest
{
    NodeIndex source = 0;
    NodeIndex destination = 0;    ///< another node than `source`
    std::uint32_t connection = 0; ///< below ConnectionsBetween(source, destination)
    Bytes size;                   ///< payload, at least 1 byte
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

enum class CollectiveKind : std::uint8_t
{
    AllReduce,
    ReduceScatter,
    AllGather
};

struct CollectiveRequest
{
    std::uint64_t number = 0; ///< the same for all members of one collective, and of no other
    CollectiveKind kind = CollectiveKind::AllReduce;
    std::vector<NodeIndex> members; ///< in ring order; a node may stand for several workers
    Bytes size;                     ///< of the whole vector that is reduced or gathered
};

using TransferCallback = std::function<void(const TransferEvent&)>;
using CollectiveCallback = std::function<void(Instant)>;

class RingCollectives;
class Striping;

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

    Network();
    virtual ~Network();
    Network(const Network&) = delete;
    Network& operator=(const Network&) = delete;

    virtual Clock& GetClock() = 0;

    /// Connections from `source` to `destination`, at least 1. Transfers of one connection are carried
    /// in the order of the calls; connections share the path.
    virtual std::uint32_t ConnectionsBetween(NodeIndex source, NodeIndex destination) const = 0;

    /// Carries a message. `callback` is called FirstByte, Sent, Delivered (Sent may come before or after
    /// FirstByte, Delivered is last) or Failed; never before Transfer has returned.
    virtual TransferNumber Transfer(const TransferRequest& request, TransferCallback callback) = 0;

    /// No callback of `transfer` comes any more. What is on the wire stays there.
    virtual void Cancel(TransferNumber transfer) = 0;

    /// Opens the connections of each pair and carries its warm-up message; pairs that share a node do so
    /// one after another. The clock reads 0 when this returns.
    virtual void Prepare(const std::vector<WarmUp>& pairs) = 0;

    virtual NetworkCounters Counters() const = 0;

    /// `member` (an index into request.members) has its input ready; `callback` is called when its result
    /// is there. The default is a ring over Transfer (RingCollectives).
    virtual void JoinCollective(const CollectiveRequest& request,
                                std::uint32_t member,
                                CollectiveCallback callback);

    /// Carries `size` bytes over all connections of a node pair, in chunks that the connection takes which
    /// is free (Striping). `source` may be `destination`: the message then stays in the node.
    virtual void
    SendStriped(NodeIndex source, NodeIndex destination, Bytes size, TransferCallback callback);

    /// The size of a chunk of a striped message; positive. Default 256 kB.
    void SetChunkSize(Bytes size);
    Bytes ChunkSize() const;

    /// Of a message of which each part goes on from `relay` when it is there, after the way from `source`: the size of a part
    /// that is worth an event of its own. `size` is what goes over `relay` in all. The default is a chunk.
    virtual Bytes
    PartSize(NodeIndex source, NodeIndex relay, NodeIndex destination, Bytes size) const;

    /// What GPUs of one node exchange: NVLink, without contention. Default: 2,400 Gbit/s a direction (A100's
    /// NVLink 3, NVIDIA A100 data sheet: 600 GB/s both ways).
    void SetNodeLocalRate(BitRate rate);
    BitRate NodeLocalRate() const;

  private:
    std::unique_ptr<Striping> m_striping;
    std::unique_ptr<RingCollectives> m_ring;
    Bytes m_chunkSize = Bytes::Of(256000);
    BitRate m_nodeLocalRate = BitRate::GigabitsPerSecond(2400);
};

} // namespace geotrain
