// SPDX-License-Identifier: GPL-2.0-only
// Striping: a message goes over several connections of a node pair, in chunks. A connection takes
// the next chunk when the last byte of its chunk before has gone to the wire for the first time, so
// that a slow connection doesn't hold the rest. Messages are taken in the order of the calls.
#pragma once

#include "execution/network.h"
#include "execution/slots.h"

#include <deque>
#include <functional>
#include <vector>

namespace geotrain
{

class Striping
{
  public:
    using Handle = std::uint64_t;

    /// `place` is of the connection among those that share messages, from 0.
    using ChunkCallback = std::function<void(std::uint32_t place, Bytes size)>;

    /// Over `connections` of the pair. `network` must outlive this.
    Striping(Network& network, NodeIndex source, NodeIndex destination, std::uint32_t connections);

    /// Cancels what is on its way.
    ~Striping();
    Striping(const Striping&) = delete;
    Striping& operator=(const Striping&) = delete;

    /// Carries a message in chunks of at most `chunk`. Events carry the time of the message's first
    /// byte, of its last byte's first transmission, and of its last delivery. A chunk that fails
    /// fails the message once, and the message's other chunks are cancelled.
    Handle Send(Bytes size, Bytes chunk, TransferCallback callback);

    /// No callback of the message comes any more; chunks that wait are dropped, the others are
    /// cancelled. One that has ended is ignored.
    void Cancel(Handle message);

    /// Of each chunk that is delivered.
    void SetChunkCallback(ChunkCallback callback);

    /// Messages that are sent from now on go over as many connections of the pair from `first` on.
    /// Nothing may be on its way.
    void UseConnectionsFrom(std::uint32_t first);

  private:
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
        std::vector<ChunkInFlight> inFlight; ///< not delivered
    };

    struct WaitingChunk
    {
        Handle message = 0;
        Bytes size;
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
    std::uint32_t m_first = 0; ///< connection of place 0
    std::deque<WaitingChunk> m_waiting;
    std::deque<std::uint32_t> m_freePlaces;
    Slots<StripedMessage> m_messages;
    ChunkCallback m_chunkCallback;
};

/// Splits `size` into equal parts (to a byte), as few as keep each at most `limit` and their number
/// a multiple of `multiple`; at least one byte each where size allows. `limit` and `multiple` are
/// positive.
std::vector<Bytes> SplitEvenly(Bytes size, Bytes limit, std::uint32_t multiple);

} // namespace geotrain
