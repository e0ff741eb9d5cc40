// Striping: a message goes over all connections of its node pair, in chunks. A connection takes the next
// chunk when the last byte of its chunk before has gone to the wire for the first time, so that a slow
// connection doesn't hold the rest. Messages of a pair are taken in the order of the calls.
#pragma once

#include "execution/network.h"

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace geotrain
{

class Striping
{
  public:
    explicit Striping(Network& network);
    ~Striping();

    /// See Network::SendStriped. Events carry the time of the message's first byte, of its last byte's
    /// first transmission, and of its last delivery; a failed chunk fails the message once.
    void Send(NodeIndex source, NodeIndex destination, Bytes size, TransferCallback callback);

  private:
    struct StripedMessage
    {
        TransferCallback callback;
        std::uint64_t chunksToSend = 0;
        std::uint64_t chunksToDeliver = 0;
        bool firstByteSeen = false;
        bool failed = false;
    };

    struct Chunk
    {
        std::shared_ptr<StripedMessage> message;
        Bytes size;
    };

    struct Pair
    {
        NodeIndex source = 0;
        NodeIndex destination = 0;
        std::deque<Chunk> waiting;
        std::deque<std::uint32_t> freeConnections;
    };

    void SendInsideNode(Bytes size, TransferCallback callback);
    Pair& PairOf(NodeIndex source, NodeIndex destination);
    void GiveChunks(Pair& pair);
    void OnChunkEvent(Pair& pair,
                      std::uint32_t connection,
                      StripedMessage& message,
                      const TransferEvent& event);

    Network& m_network;
    std::map<std::pair<NodeIndex, NodeIndex>, std::unique_ptr<Pair>> m_pairs;
};

/// Splits `size` into equal parts (to a byte), as few as keep each at most `limit` and their number a
/// multiple of `multiple`; at least one byte each where size allows. `limit` and `multiple` are positive.
std::vector<Bytes> SplitEvenly(Bytes size, Bytes limit, std::uint32_t multiple);

} // namespace geotrain
