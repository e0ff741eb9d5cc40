// SPDX-License-Identifier: GPL-2.0-only
#include "live-wan/model/live-agent.h"

#include "live-wan/model/kernel-tcp.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace ns3
{

namespace
{

constexpr int LONGEST_WAIT_MS = 1;
constexpr std::int64_t MEASURE_INTERVAL_NS = 500000;
constexpr std::int64_t AGENT_REST_NS = 50000; ///< a wake for each packet would take a core
constexpr std::size_t WRITE_BYTES = 65536;
constexpr int NAME_BYTES = 4; ///< a connection's first bytes, which name it

constexpr std::array<char, WRITE_BYTES> CONTENT = {};

} // namespace

LiveAgent::LiveAgent(int control, ConnectionState* states, Lateness& lateness)
    : m_control(control),
      m_states(states),
      m_lateness(lateness),
      m_poll(epoll_create1(EPOLL_CLOEXEC))
{
    Add(control, {Source::Kind::Control, 0}, EPOLLIN);
}

void
LiveAgent::Add(int descriptor, Source source, std::uint32_t events)
{
    m_sources[descriptor] = source;
    epoll_event event = {};
    event.events = events;
    event.data.fd = descriptor;
    epoll_ctl(m_poll, EPOLL_CTL_ADD, descriptor, &event);
}

void
LiveAgent::Run()
{
    std::array<epoll_event, 64> events;
    for (std::int64_t wokeNs = 0;;)
    {
        if (!m_isPrompt)
        {
            const timespec wake = {(wokeNs + AGENT_REST_NS) / 1000000000,
                                   (wokeNs + AGENT_REST_NS) % 1000000000};
            clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &wake, nullptr);
        }
        m_isPrompt = false;
        const int count =
            epoll_wait(m_poll, events.data(), static_cast<int>(events.size()), LONGEST_WAIT_MS);
        wokeNs = MonotonicNs();
        // What is expected was said before its bytes were sent: it is read first.
        if (!ServeControl())
        {
            return;
        }
        for (int i = 0; i < count; ++i)
        {
            const epoll_event& event = events[static_cast<std::size_t>(i)];
            Serve(event.data.fd, event.events);
        }
        Measure();
        m_isPrompt = m_isPrompt || !m_outbox.IsEmpty();
        m_outbox.Flush(m_control);
    }
}

bool
LiveAgent::ServeControl()
{
    AgentCommands commands;
    for (;;)
    {
        const ssize_t size = recv(m_control, commands.data(), sizeof commands, MSG_DONTWAIT);
        if (size <= 0)
        {
            return size < 0 && (errno == EAGAIN || errno == EINTR);
        }
        m_isPrompt = true;
        const std::int64_t nowNs = MonotonicNs();
        for (std::size_t i = 0; i < std::size_t(size) / sizeof(AgentCommand); ++i)
        {
            m_lateness.Add(nowNs - commands[i].toldNs);
            Do(commands[i]);
        }
    }
}

void
LiveAgent::Do(const AgentCommand& command)
{
    switch (command.kind)
    {
    case AgentCommand::Kind::Listen:
        Listen(command);
        break;
    case AgentCommand::Kind::Connect:
        Connect(command);
        break;
    case AgentCommand::Kind::Expect:
        Expect(command);
        break;
    case AgentCommand::Kind::Send:
        Outgoing& outgoing = m_outgoing[command.connection];
        outgoing.handedOver += command.bytes;
        outgoing.waiting.push_back({command.message,
                                    outgoing.handedOver,
                                    KernelTcp::EndsSegment(outgoing.socket, command.bytes)});
        outgoing.isDrained = false;
        Write(command.connection);
        break;
    }
}

void
LiveAgent::Listen(const AgentCommand& command)
{
    const int listener = KernelTcp::Listen(command);
    if (listener < 0)
    {
        std::perror("geotrain live: an agent can't listen");
        _exit(1);
    }
    Add(listener, {Source::Kind::Listener, 0, static_cast<int>(command.bytes)}, EPOLLIN);
    Tell(AgentEvent::Kind::Listening, 0);
}

void
LiveAgent::Connect(const AgentCommand& command)
{
    Outgoing& outgoing = m_outgoing[command.connection];
    outgoing.window = command.bytes;
    outgoing.socket = KernelTcp::Open(command);
    if (outgoing.socket < 0)
    {
        Fail(command.connection, command.control.data(), errno);
        return;
    }
    if (!KernelTcp::Connect(outgoing.socket, command))
    {
        Fail(command.connection, "no connection", errno);
        return;
    }
    // A socket that does not connect yet would be taken for one that has ended.
    Add(outgoing.socket, {Source::Kind::Outgoing, command.connection}, 0);
    outgoing.written = -NAME_BYTES;
    AwaitRoom(outgoing, true);
}

void
LiveAgent::Expect(const AgentCommand& command)
{
    Incoming& incoming = m_incoming[command.connection];
    const std::int64_t begin = incoming.expectedBytes;
    incoming.expectedBytes += command.bytes;
    incoming.expected.push_back({command.message, begin, incoming.expectedBytes, false});
    if (incoming.received > begin) // its bytes came while earlier ones were read
    {
        Notice(command.connection, 0);
    }
}

void
LiveAgent::Serve(int descriptor, std::uint32_t events)
{
    const auto found = m_sources.find(descriptor);
    if (found == m_sources.end())
    {
        return;
    }
    const Source source = found->second;
    switch (source.kind)
    {
    case Source::Kind::Control:
        break; // served before
    case Source::Kind::Listener:
        Accept(descriptor);
        break;
    case Source::Kind::Unnamed:
        Name(descriptor);
        break;
    case Source::Kind::Outgoing:
        if ((events & (EPOLLERR | EPOLLHUP)) != 0)
        {
            Fail(source.connection, "connection", KernelTcp::ErrorOf(descriptor));
            break;
        }
        Write(source.connection);
        break;
    case Source::Kind::Incoming:
        Read(descriptor, source);
        break;
    }
}

void
LiveAgent::Accept(int listener)
{
    for (;;)
    {
        const int accepted = accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (accepted < 0)
        {
            return;
        }
        Add(accepted, {Source::Kind::Unnamed, 0, m_sources.at(listener).window}, EPOLLIN);
    }
}

void
LiveAgent::Name(int descriptor)
{
    std::uint32_t connection = 0;
    static_assert(sizeof connection == NAME_BYTES);
    if (recv(descriptor, &connection, sizeof connection, MSG_PEEK) < ssize_t(sizeof connection))
    {
        return;
    }
    const ssize_t taken = recv(descriptor, &connection, sizeof connection, 0);
    Source& source = m_sources.at(descriptor);
    source.kind = Source::Kind::Incoming;
    source.connection = connection;
    if (taken == NAME_BYTES)
    {
        Read(descriptor, source);
    }
}

/// Writes what the kernel takes, and tells of messages that are sent by then.
void
LiveAgent::Write(std::uint32_t connection)
{
    Outgoing& outgoing = m_outgoing[connection];
    if (outgoing.hasFailed)
    {
        return;
    }
    bool isFull = false;
    while (outgoing.written < 0 && !isFull)
    {
        // The name shares the first segment with data, or would be a packet more than in simulation.
        const int more = outgoing.handedOver > 0 ? MSG_MORE : 0;
        isFull = send(outgoing.socket, &connection, NAME_BYTES, MSG_NOSIGNAL | more) < NAME_BYTES;
        outgoing.written = isFull ? outgoing.written : 0;
        KernelTcp::BoundUnsent(outgoing.socket, outgoing.window);
    }
    while (!outgoing.waiting.empty() && !isFull)
    {
        const Outgoing::Waiting& message = outgoing.waiting.front();
        const auto wanted = static_cast<std::size_t>(
            std::min<std::int64_t>(message.end - outgoing.written, WRITE_BYTES));
        const bool isLast = outgoing.written + ssize_t(wanted) == message.end;
        const int end = isLast && message.endsSegment ? MSG_EOR : 0;
        const ssize_t taken = send(outgoing.socket, CONTENT.data(), wanted, MSG_NOSIGNAL | end);
        isFull = taken < ssize_t(wanted);
        outgoing.written += std::max<ssize_t>(taken, 0);
        if (outgoing.written == message.end)
        {
            Tell(AgentEvent::Kind::Sent, connection, message.message);
            outgoing.waiting.pop_front();
        }
    }
    m_states[connection].written = std::max<std::int64_t>(outgoing.written, 0);
    AwaitRoom(outgoing, isFull);
}

void
LiveAgent::AwaitRoom(Outgoing& outgoing, bool wanted)
{
    if (outgoing.isWaitingForRoom == wanted)
    {
        return;
    }
    outgoing.isWaitingForRoom = wanted;
    epoll_event event = {};
    event.events = wanted ? std::uint32_t(EPOLLOUT) : 0;
    event.data.fd = outgoing.socket;
    epoll_ctl(m_poll, EPOLL_CTL_MOD, outgoing.socket, &event);
}

void
LiveAgent::Read(int descriptor, const Source& source)
{
    // Where the kernel learns that segments are larger than it thought, it sets the clamp anew from
    // the size of the buffer (tcp_measure_rcv_mss of Linux 6.9 and later).
    KernelTcp::SetWindow(descriptor, source.window);
    const std::uint32_t connection = source.connection;
    bool endsMessage = false;
    for (;;)
    {
        // MSG_TRUNC: the bytes are thrown away without being copied (tcp(7)).
        const ssize_t got = recv(descriptor, nullptr, std::size_t(1) << 24, MSG_TRUNC);
        if (got > 0)
        {
            endsMessage = Notice(connection, got) || endsMessage;
            continue;
        }
        if (got == 0 || (errno != EAGAIN && errno != EINTR))
        {
            Fail(connection, "the sender closed the connection", got == 0 ? 0 : errno);
            epoll_ctl(m_poll, EPOLL_CTL_DEL, descriptor, nullptr);
            m_sources.erase(descriptor);
            close(descriptor);
        }
        else if (endsMessage)
        {
            KernelTcp::Acknowledge(descriptor);
        }
        return;
    }
}

bool
LiveAgent::Notice(std::uint32_t connection, std::int64_t bytes)
{
    Incoming& incoming = m_incoming[connection];
    incoming.received += bytes;
    m_states[connection].received = incoming.received;
    const std::size_t expectedBefore = incoming.expected.size();
    for (auto expected = incoming.expected.begin();
         expected != incoming.expected.end() && expected->begin < incoming.received;)
    {
        if (!expected->hasBegun)
        {
            expected->hasBegun = true;
            Tell(AgentEvent::Kind::FirstByte, connection, expected->message);
        }
        if (expected->end > incoming.received)
        {
            break;
        }
        Tell(AgentEvent::Kind::Delivered, connection, expected->message);
        expected = incoming.expected.erase(expected);
    }
    return incoming.expected.size() < expectedBefore;
}

void
LiveAgent::Fail(std::uint32_t connection, const char* what, int error)
{
    const auto outgoing = m_outgoing.find(connection);
    if (outgoing != m_outgoing.end())
    {
        outgoing->second.hasFailed = true;
        epoll_ctl(m_poll, EPOLL_CTL_DEL, outgoing->second.socket, nullptr);
    }
    AgentEvent event = {};
    event.kind = AgentEvent::Kind::Failed;
    event.connection = connection;
    std::snprintf(event.reason.data(),
                  event.reason.size(),
                  "%s%s%s",
                  what,
                  error == 0 ? "" : ": ",
                  error == 0 ? "" : std::strerror(error));
    m_outbox.Add(event);
}

/// Reads the kernel's counters of the connections that have data on the way.
void
LiveAgent::Measure()
{
    const std::int64_t nowNs = MonotonicNs();
    if (nowNs - m_measuredNs < MEASURE_INTERVAL_NS)
    {
        return;
    }
    m_measuredNs = nowNs;
    for (auto& [connection, outgoing] : m_outgoing)
    {
        if (outgoing.isDrained || outgoing.hasFailed)
        {
            continue;
        }
        const std::int64_t unacknowledged =
            KernelTcp::Measure(outgoing.socket, outgoing.written, m_states[connection]);
        if (unacknowledged == 0 && outgoing.written == outgoing.handedOver)
        {
            outgoing.isDrained = true;
            Tell(AgentEvent::Kind::Drained,
                 connection,
                 static_cast<std::uint64_t>(outgoing.handedOver));
        }
    }
}

void
LiveAgent::Tell(AgentEvent::Kind kind, std::uint32_t connection, std::uint64_t message)
{
    AgentEvent event = {};
    event.kind = kind;
    event.connection = connection;
    event.message = message;
    m_outbox.Add(event);
}

} // namespace ns3
