// SPDX-License-Identifier: GPL-2.0-only
// Striping: a message goes over several connections of a node pair, in chunks. A connection takes
// the next chunk when the last byte of its previous chunk has gone to the wire for the first time,
// so that a slow connection doesn't hold the rest up. Messages are taken in the order of the calls.
#pragma once

#include "execution/network.h"
#include "execution/slots.h"

#include <deque>
#include <functional>
#include <vector>

namespace geotrain
{

/// EvenParts are parts of `size` that are equal to a byte. Their number is the smallest multiple of
/// `multiple` for which no part exceeds `limit`; where size allows, each has at least one byte.
class EvenParts
{
  public:
    /// No parts.
    EvenParts() = default;

    /// `limit` and `multiple` are positive.
    EvenParts(Bytes size, Bytes limit, std::uint32_t multiple);

    std::int64_t Count() const;

    /// Returns the size of part `number`, from 0.
    Bytes At(std::int64_t number) const;

  private:
    std::int64_t m_count = 0;
    std::int64_t m_base = 0;   ///< bytes of a part
    std::int64_t m_longer = 0; ///< number of parts, the first ones, that have a byte more
};

/// Striping carries the messages of one node pair.
class Striping
{
  public:
    using Handle = std::uint64_t;

    /// Is called for a delivered chunk. `place` is the connection's index among those that share
    /// messages.
    using ChunkCallback = std::function<void(std::uint32_t place, Bytes size)>;

    /// Uses `connections` connections of the pair. `network` must outlive this.
    Striping(Network& network,
             NodeIndex source,
             NodeIndex destination,
             std::uint32_t connections,
             OwnerIndex owner = 0);

    /// Cancels what is on the way.
    ~Striping();
    Striping(const Striping&) = delete;
    Striping& operator=(const Striping&) = delete;

    /// Carries a message in chunks of at most `chunk`, or of at most Network::LeastChunk() where that
    /// is more. Events have the time of the message's first
    /// byte, of its last byte's first transmission, and of its last delivery. A chunk that fails
    /// makes the message fail once, and the message's other chunks are cancelled.
    Handle Send(Bytes size, Bytes chunk, TransferCallback callback);

    /// Cancels a message, whose callback is not called any more. Waiting chunks are dropped, and
    /// the others are cancelled. A message that has ended is ignored.
    void Cancel(Handle message);

    /// Sets what is called for each chunk that is delivered.
    void SetChunkCallback(ChunkCallback callback);

    /// Makes later messages use the same number of connections from number `first` of the pair on.
    /// Nothing may be on the way.
    void UseConnectionsFrom(std::uint32_t first);

  private:
    /// A ChunkInFlight is a chunk on a connection.
    struct ChunkInFlight
    {
        TransferNumber transfer = 0;
        std::uint32_t place = 0;
        Bytes size;
        bool isSent = false;
    };

    struct StripedMessage
    {
        TransferCallback callback;
        std::uint64_t chunksToSend = 0;
        std::uint64_t chunksToDeliver = 0;
        bool firstByteSeen = false;
        std::vector<ChunkInFlight> inFlight; ///< chunks that are not delivered
    };

    /// A WaitingMessage is a message of which no connection has taken some chunks.
    struct WaitingMessage
    {
        Handle message = 0;
        EvenParts chunks;
        std::int64_t next = 0; ///< number of the first chunk that waits
    };

    void GiveChunks();
    void OnChunkEvent(Handle handle, const TransferEvent& event);
    void OnChunkSent(StripedMessage& message, const TransferEvent& event);
    bool OnChunkDelivered(StripedMessage& message, const TransferEvent& event);
    void Tell(Handle handle, const TransferEvent& event);
    TransferCallback Drop(Handle handle);

    Network& m_network;
    NodeIndex m_source;
    NodeIndex m_destination;
    OwnerIndex m_owner;
    Bytes m_leastChunk; ///< Network::LeastChunk() of the pair
    std::uint32_t m_first = 0; ///< the connection of place 0
    std::deque<WaitingMessage> m_waiting;
    std::deque<std::uint32_t> m_freePlaces;
    Slots<StripedMessage> m_messages;
    ChunkCallback m_chunkCallback;
};

/// Returns the sizes of EvenParts.
std::vector<Bytes> SplitEvenly(Bytes size, Bytes limit, std::uint32_t multiple);

} // namespace geotrain
