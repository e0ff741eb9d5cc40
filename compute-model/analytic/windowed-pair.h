// The connections of a node pair: which sends which bytes when, as TCP sockets with Striping (execution/striping.h) do it. Chunks
// of messages go to free connections in the order in which these became free; a connection sends of its chunk what its window
// allows, and is free again when the chunk has gone into the pair's queue. The queue is first in, first out, and leaves at the
// rate that the network gives the pair; what has left is acknowledged a round trip later. Bytes are handled in trains: what a connection
// sends at once. A train counts as acknowledged when its first acknowledgement comes, since its answer waits in the same queue.
//
// Of many connections several are alike: one lane stands for them, with one window, and takes a chunk for each of them at once.
// Members that have chunks pool what their windows allow.
//
// Logic without a clock: time comes with each call.
#pragma once

#include "analytic/congestion-window.h"
#include "units/growing-ring.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <queue>
#include <utility>
#include <vector>

namespace geotrain
{

class WindowedPair
{
  public:
    struct Settings
    {
        std::uint32_t connections = 1;
        CongestionWindow::Settings window; ///< without a limit, all goes at once
        std::int64_t header = 0;           ///< bytes before each chunk of a connection
        Duration delay;                    ///< one way
        Duration returnDelay;              ///< of acknowledgements
        double rate = 0; ///< of the queue at most, in bytes a nanosecond; for the length of trains
    };

    /// What happened to a message, which has the caller's number.
    struct Event
    {
        enum class Kind
        {
            Begun, ///< its first byte leaves the queue
            Sent,  ///< its last byte went into the queue; without windows: left it
            Left   ///< its last byte has left the queue
        };

        Kind kind = Kind::Begun;
        std::uint32_t message = 0;
    };

    explicit WindowedPair(const Settings& settings);

    /// A message in `chunks` equal parts for whatever connection is free. Then call Advance.
    void Stripe(std::uint32_t message, std::int64_t bytes, std::int64_t chunks);

    /// A message for one connection, after what its lane has to send. Then call Advance.
    void Queue(std::uint32_t message, std::int64_t bytes, std::uint32_t connection);

    std::uint32_t Lanes() const;

    /// Of its connections.
    std::uint32_t MembersOf(std::uint32_t lane) const;

    /// A message in equal parts for all connections of a lane, after what it has to send. Then call Advance.
    void QueueForLane(std::uint32_t message, std::int64_t bytes, std::uint32_t lane);

    /// Goes on to `now`, which is NextEvent() at most, and lets connections send.
    void Advance(Instant now);

    /// What happened since it was last asked, in order, in place of what is in `events`.
    void TakeEvents(std::vector<Event>& events);

    /// The queue's rate from `now` on, in bytes a nanosecond; positive. Set when the first byte goes.
    void SetRate(Instant now, double bytesPerNanosecond);

    /// When Advance has something to do if nothing changes; Never if nothing is under way.
    Instant NextEvent() const;

    /// Whether bytes wait to leave.
    bool HasQueue() const;

    /// For how long receivers may hold the acknowledgements of what was sent.
    Duration LongestHold() const;

    /// Acknowledgements go through the queue of `reverse`, which must live as long as they do.
    void SetReverse(WindowedPair& reverse);

    /// The windows of `other` once all that it has sent is acknowledged, with its times moved back.
    void TakeWindows(WindowedPair& other, Duration by);

  private:
    struct Message
    {
        std::uint32_t number = 0; ///< the caller's
        std::int64_t bytesToSend = 0;
        bool hasBegun = false;
    };

    struct Piece
    {
        std::uint32_t message = 0; ///< index into m_messages
        std::int64_t bytes = 0;    ///< not yet sent
        std::uint32_t members = 1; ///< of the lane that it takes
        bool isStriped = false;
    };

    struct StripedMessage
    {
        std::uint32_t message = 0;
        std::int64_t bytes = 0; ///< that no connection has taken
        std::int64_t chunks = 0;
    };

    /// Bytes are those of each of its connections.
    struct Lane
    {
        std::uint32_t members = 1;
        std::uint32_t chosen = 0; ///< members of all its pieces
        std::uint32_t taken = 0;  ///< of those that are striped
        bool isFree = true;       ///< in m_freeLanes
        std::unique_ptr<CongestionWindow> window;
        GrowingRing<Piece> pieces;
        std::int64_t sent = 0; ///< since it opened
        std::int64_t inFlight = 0;
        Instant lastSent;
        Instant answersSince; ///< where isAcknowledged
        Instant answersUntil;
        bool isAcknowledged = false; ///< in m_acknowledged
        bool isPaced = false;        ///< in m_paced
        bool isOdd = false;          ///< the next segment is acknowledged at once
        std::int64_t held = 0; ///< bytes of the segment that the receiver has not acknowledged yet
        Instant heldSince;
    };

    struct Train
    {
        std::uint32_t lane = 0;
        std::uint32_t message = 0;
        bool isFirst = false; ///< of its message
        bool isLast = false;
        std::int64_t bytes = 0;      ///< of all members
        std::int64_t untilFirst = 0; ///< of these, until one is acknowledged
        std::int64_t untilLast = 0;
        AcknowledgedTrain times; ///< of a member; acknowledgements: when they leave the receiver
        Instant queued;
        double end = 0; ///< bytes queued since the start, it included
    };

    /// A train that has left the queue.
    struct Departure
    {
        Instant queued;
        Instant at;
    };

    using Pause = std::pair<Instant, std::uint32_t>; ///< its end, and the lane

    /// What is sent now answers acknowledgements that came over a while.
    struct Answer
    {
        Instant since;
        Instant until;
        std::int64_t bytes = 0; ///< at most
        std::int64_t sent = 0;

        Instant At(std::int64_t byte) const;
    };

    bool HasWindows() const;
    std::uint32_t NewMessage(std::uint32_t number, std::int64_t bytes);
    std::int64_t ChunksAtOnce(std::int64_t left) const;
    void GiveChunks();
    void AcknowledgeDue();
    void Acknowledge(Train train);
    void SendForAcknowledgements();
    Instant Arrival(Instant acknowledgement) const;
    Instant LeavesAfter(Instant queued) const;
    void EndPauses();
    void Push(std::uint32_t lane, const Piece& piece);
    void Pop(std::uint32_t lane);
    static std::int64_t Senders(const Lane& lane);
    void QueuePiece(std::uint32_t message,
                    std::int64_t bytes,
                    std::uint32_t lane,
                    std::uint32_t members);
    void Send(std::uint32_t lane);
    void SendTrain(std::uint32_t lane, std::int64_t bytesOfMember);
    void ReleaseHeld(Lane& lane);
    void CountAcknowledgements(Lane& lane, Train& train, std::int64_t bytesOfMember) const;
    void Serve(Instant now);
    void BeginService(Instant at);
    void PredictAcknowledgements(Instant at);
    void EndService(Instant at);
    Duration Backlog() const;
    double Served() const;
    Instant After(double bytes) const;
    void Tell(Event::Kind kind, std::uint32_t message);

    Settings m_settings;
    std::int64_t m_largestTrain = 0;
    Duration m_moment;                 ///< acknowledgements so close to each other count as one
    std::uint32_t m_membersOfLane = 1; ///< of all lanes but the last
    std::vector<Lane> m_lanes;
    std::deque<std::uint32_t> m_freeLanes; ///< for chunks
    std::deque<StripedMessage> m_waiting;
    std::vector<StripedMessage> m_arrived; ///< since the last Advance
    std::vector<Message> m_messages;
    std::vector<std::uint32_t> m_freeMessages;
    std::vector<std::uint32_t> m_acknowledged; ///< lanes, in order
    std::vector<std::uint32_t> m_toSend;       ///< lanes with new messages of their own
    std::priority_queue<Pause, std::vector<Pause>, std::greater<>>
        m_paced; ///< lanes that wait for their pace
    std::uint32_t m_unsentPieces = 0;
    Answer m_answer;

    GrowingRing<Train> m_queue;          ///< its first is being served
    GrowingRing<Train> m_unacknowledged; ///< that have begun to leave, in order
    bool m_firstIsAcknowledged = false;  ///< the one that is being served
    GrowingRing<double>
        m_marks;         ///< bytes since the start at which a message begins or ends to leave
    double m_queued = 0; ///< bytes since the start
    double m_servedOfFirst = 0;
    double m_rate = 0; ///< bytes a nanosecond
    Instant m_now;
    std::vector<Event> m_events;
    WindowedPair* m_reverse = nullptr;
    GrowingRing<Departure> m_departures; ///< of the last round trips, for the reverse pair
};

} // namespace geotrain
