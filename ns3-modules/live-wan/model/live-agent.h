// SPDX-License-Identifier: GPL-2.0-only
// The process that sends and receives a node's messages over the kernel's TCP. It does what it is
// told over a socket, and tells what happened; it knows nothing of training.
#pragma once

#include "live-wan/model/agent-outbox.h"
#include "live-wan/model/lateness.h"

#include <cstdint>
#include <deque>
#include <map>

namespace ns3
{

/// A LiveAgent lives in the network namespace of its node.
class LiveAgent
{
  public:
    /// `control` is its end of the socket. `states` is shared, by number of connection, and so is
    /// `lateness`, which tells how long commands wait to be read.
    LiveAgent(int control, ConnectionState* states, Lateness& lateness);

    /// Serves until the other end of the socket closes.
    void Run();

  private:
    /// An Outgoing is the sending end of a connection.
    struct Outgoing
    {
        struct Waiting
        {
            std::uint64_t message;
            std::int64_t end; ///< in the connection's stream
            bool endsSegment; ///< no segment has its end and the beginning of the next
        };

        int socket = -1;
        std::int64_t window = 0;     ///< bytes in flight at most
        std::int64_t handedOver = 0; ///< bytes
        std::int64_t written = 0;    ///< bytes that the kernel took
        std::deque<Waiting> waiting; ///< messages that are not sent
        bool isDrained = true;
        bool isWaitingForRoom = false; ///< whether epoll is to tell of room
        bool hasFailed = false;
    };

    /// An Incoming is the receiving end.
    struct Incoming
    {
        struct Expected
        {
            std::uint64_t message;
            std::int64_t begin; ///< in the connection's stream
            std::int64_t end;
            bool hasBegun;
        };

        std::int64_t expectedBytes = 0;
        std::int64_t received = 0;
        std::deque<Expected> expected;
    };

    /// A Source says what a descriptor is.
    struct Source
    {
        enum class Kind
        {
            Control,
            Listener,
            Unnamed, ///< accepted, before its first bytes have named the connection
            Outgoing,
            Incoming
        };

        Kind kind;
        std::uint32_t connection;
        int window = 0; ///< bytes that a listener, and what it accepted, offers at most
    };

    void Add(int descriptor, Source source, std::uint32_t events);
    bool ServeControl();
    void Do(const AgentCommand& command);
    void Listen(const AgentCommand& command);
    void Connect(const AgentCommand& command);
    void Expect(const AgentCommand& command);
    void Serve(int descriptor, std::uint32_t events);
    void Accept(int listener);
    void Name(int descriptor);
    void Write(std::uint32_t connection);
    void AwaitRoom(Outgoing& outgoing, bool wanted);
    void Read(int descriptor, const Source& source);
    /// Returns whether the end of a message came.
    bool Notice(std::uint32_t connection, std::int64_t bytes);
    void Fail(std::uint32_t connection, const char* what, int error);
    void Measure();
    void Tell(AgentEvent::Kind kind, std::uint32_t connection, std::uint64_t message = 0);

    int m_control;
    ConnectionState* m_states;
    Lateness& m_lateness;
    int m_poll;
    std::int64_t m_measuredNs = 0;   ///< CLOCK_MONOTONIC at the last measurement
    std::map<int, Source> m_sources; ///< by descriptor
    std::map<std::uint32_t, Outgoing> m_outgoing;
    std::map<std::uint32_t, Incoming> m_incoming;
    AgentOutbox m_outbox;
    /// Whether the last wake began or ended a message: more may depend on it. Otherwise data flows,
    /// and the agent rests.
    bool m_isPrompt = false;
};

} // namespace ns3
