// SPDX-License-Identifier: GPL-2.0-only
// The connections of a node pair with windows. It decides which of them sends which bytes when, as
// TCP sockets with Striping do (execution/striping.h). Chunks of messages go to free connections in
// the order in which these became free. A connection sends as much of its chunk as its window
// allows, and is free again when the chunk has gone into the pair's queue. What has left the queue
// is acknowledged a round trip later. A train counts as acknowledged when its first acknowledgement
// comes, since what answers it waits in the same queue.
#pragma once

#include "analytic/ack-clock.h"
#include "analytic/connection-group.h"
#include "analytic/holes.h"
#include "analytic/pair-sender.h"
#include "analytic/tail-drop.h"
#include "analytic/train-route.h"
#include "analytic/unacknowledged-trains.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <queue>
#include <utility>
#include <vector>

namespace geotrain
{

/// WindowedPair is the PairSender of a path whose windows limit it.
class WindowedPair : public PairSender
{
  public:
    explicit WindowedPair(const AnalyticPath& path, const LinkQueueOf& queueOf = nullptr);

    void Stripe(std::uint32_t message, std::int64_t bytes, std::int64_t chunks) override;
    void Queue(std::uint32_t message, std::int64_t bytes, std::uint32_t connection) override;
    void QueueForAll(std::uint32_t message, std::int64_t bytes) override;
    void Advance(Instant now) override;
    void SetRate(Instant now, double bytesPerNanosecond) override;
    Duration LongestHold() const override;
    void SetReverse(PairSender& reverse) override;
    std::vector<Connection> GiveConnections() override;
    void TakeConnections(std::vector<Connection> connections, Duration by) override;

  private:
    /// A Message is a message, or one part of a message for all connections.
    struct Message
    {
        std::uint32_t number = 0; ///< the caller's number
        std::int64_t bytesToSend = 0;
        std::int64_t bytesToDeliver = 0;
        Instant delivered; ///< when the last byte so far comes to the destination
        bool hasBegun = false;
        /// Parts that have not left, where the message is for all connections; otherwise null.
        std::shared_ptr<std::uint32_t> partsLeft;
    };

    /// A StripedMessage is what is left of a message to give to connections.
    struct StripedMessage
    {
        std::uint32_t message = 0;
        std::int64_t bytes = 0; ///< bytes that no connection has taken
        std::int64_t chunks = 0;
    };

    /// A Held is bytes of a message that have come behind a hole.
    struct Held
    {
        std::uint32_t message = 0;
        std::int64_t bytes = 0;
        Instant arrival;
    };

    /// A Group is a connection group and what it waits for.
    struct Group
    {
        ConnectionGroup connections;
        bool isFree = true;          ///< it is in m_free
        bool isAcknowledged = false; ///< it is in m_acknowledged
        bool isPaced = false;        ///< it is in m_paced
        Instant answersSince;        ///< first acknowledgement, where isAcknowledged
        Instant answersUntil;        ///< last acknowledgement
        Holes holes;                 ///< what has not come, at the destination
        /// What has come behind that, by the bytes that the connection had sent with it.
        std::multimap<std::int64_t, Held> held;
    };

    /// A Way is where trains go behind the pair's own queue, and those that are not acknowledged.
    struct Way
    {
        TrainRoute there;
        TrainRoute back; ///< that of acknowledgements
        UnacknowledgedTrains unacknowledged;
    };

    using PausedGroup = std::pair<Instant, std::uint32_t>; ///< end of the pause, and the group

    Way& WayOf(std::uint32_t group);
    void Begins(const Train& train, Instant at) override;
    void HasLeft(const Train& train, Instant at) override;
    Instant NextSend() const override;
    Instant NextAnswer() const;
    Instant Now() const;
    void MoveTrains();
    void Arrive(const Train& train, Instant arrival);
    void Deliver(std::uint32_t message, std::int64_t bytes, Instant arrival);
    void LoseWhatOverflows(Train& train);
    void Miss(const Train& train);
    void EndWaits();
    std::uint32_t NewMessage(std::uint32_t number, std::int64_t bytes);
    void Push(std::uint32_t group, const Piece& piece);
    void Pop(std::uint32_t group);
    std::int64_t ChunksAtOnce(std::int64_t left) const;
    Piece TakeChunks(std::uint32_t freeMembers);
    void GiveChunks();
    void AcknowledgeDue();
    void Acknowledge(const Way& way, Train train);
    void SendForAcknowledgements();
    Instant Arrival(const Way& way, Instant acknowledgement) const;
    Duration Backlog() const;
    void EndPauses();
    void AwaitHeld(std::uint32_t index);
    void Pause(std::uint32_t group, Instant until);
    void Send(std::uint32_t group);
    void SendTrain(std::uint32_t group, std::int64_t bytesOfMember);
    void Repair(std::uint32_t group, std::int64_t bytesOfMember);

    Duration m_delay; ///< one way, of data
    Duration m_roundTrip;
    double m_mostQueued; ///< bytes that wait in the pair's own queue; 0: no limit
    std::int64_t m_connections;
    std::uint32_t m_membersOfGroup; ///< connections per group, except for the last
    std::vector<Group> m_groups;
    std::deque<std::uint32_t> m_free; ///< groups that can take chunks
    std::deque<StripedMessage> m_waiting;
    std::vector<StripedMessage> m_arrived; ///< messages added since the last Advance
    std::vector<Message> m_messages;
    std::vector<std::uint32_t> m_freeMessages;
    std::vector<std::uint32_t> m_acknowledged; ///< groups to which acknowledgements came, in order
    std::vector<std::uint32_t> m_toSend;       ///< groups with new messages of their own
    /// Groups that wait for their pace.
    std::priority_queue<PausedGroup, std::vector<PausedGroup>, std::greater<>> m_paced;
    /// Groups that wait to learn of what was lost of the last that they sent.
    std::priority_queue<PausedGroup, std::vector<PausedGroup>, std::greater<>> m_waits;
    std::uint32_t m_losses = 0; ///< that are not sent again
    std::uint32_t m_unsentPieces = 0;
    std::uint32_t m_trainsWithLosses = 0; ///< that are not acknowledged
    AckClock m_clock;
    Instant m_begun; ///< when the queue's first train began to leave
    TailDrop m_overflow;
    std::vector<Way> m_ways; ///< one of all groups, or one per group
    const PairQueue* m_reverse = nullptr;
};

} // namespace geotrain
