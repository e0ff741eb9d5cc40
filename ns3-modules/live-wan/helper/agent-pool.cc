// SPDX-License-Identifier: GPL-2.0-only
#include "live-wan/helper/agent-pool.h"

#include "live-wan/helper/rights.h"
#include "live-wan/model/live-agent.h"
#include "live-wan/model/wall-clock-simulator-impl.h"

#include <ns3/abort.h>
#include <ns3/simulator.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <sys/socket.h>
#include <unistd.h>

namespace ns3
{

namespace
{

constexpr std::uint32_t FIRST_PORT = 40000;

} // namespace

AgentPool::AgentPool(const NodeNamespaces& nodes, std::uint32_t count)
    : m_nodes(nodes),
      m_states(s_mostConnections),
      m_commandLateness(count),
      m_agents(count)
{
    for (std::uint32_t node = 0; node < count; ++node)
    {
        Start(node);
    }
}

AgentPool::~AgentPool()
{
    for (const Agent& agent : m_agents)
    {
        if (agent.socket >= 0)
        {
            WallClockSimulatorImpl::InUse().ForgetDescriptor(agent.socket);
            close(agent.socket);
        }
    }
}

void
AgentPool::Start(std::uint32_t node)
{
    std::array<int, 2> ends;
    NS_ABORT_MSG_IF(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0,
                    "no socket for an agent: " << std::strerror(errno));
    const auto run = [&]
    {
        std::signal(SIGINT, SIG_IGN);
        close(ends[0]);
        for (const Agent& agent : m_agents)
        {
            close(agent.socket); // or the others would not notice that the run has ended
        }
        m_nodes.Enter(node);
        // A congestion control beside the kernel's default needs it (tcp(7)).
        DropRights(std::uint32_t(1) << CAP_NET_ADMIN);
        LiveAgent(ends[1], m_states.Data(), m_commandLateness[node]).Run();
        return 0;
    };
    m_agents[node].process = geotrain::ChildProcess(run);
    close(ends[1]);
    m_agents[node].socket = ends[0];
    WallClockSimulatorImpl::InUse().WatchDescriptor(ends[0], [this, node] { ReadEvents(node); });
}

std::uint32_t
AgentPool::Open(Connection connection)
{
    const auto number = static_cast<std::uint32_t>(m_connections.size());
    NS_ABORT_MSG_IF(number >= s_mostConnections,
                    "a live run has at most " << s_mostConnections << " connections");
    AgentCommand command = {};
    command.kind = AgentCommand::Kind::Connect;
    command.connection = number;
    command.peer = connection.destination;
    command.port = PortOf(connection.destination, {connection.window, connection.dscp});
    command.bytes = connection.window;
    command.dscp = connection.dscp;
    command.pacingRate = connection.pacingRate;
    connection.control.copy(command.control.data(), command.control.size() - 1);
    const std::uint32_t source = connection.source;
    m_connections.push_back(std::move(connection));
    m_handedOver.push_back(0);
    m_isDrained.push_back(true);
    m_undelivered.push_back(0);
    Command(source, command);
    return number;
}

/// Returns the port at which a node makes an offer. A listener makes one.
std::uint32_t
AgentPool::PortOf(std::uint32_t node, const Offer& offer)
{
    auto& ports = m_agents[node].ports;
    const auto found = ports.find(offer);
    if (found != ports.end())
    {
        return found->second;
    }
    const auto port = static_cast<std::uint32_t>(FIRST_PORT + ports.size());
    ports[offer] = port;
    AgentCommand command = {};
    command.kind = AgentCommand::Kind::Listen;
    command.port = port;
    command.bytes = offer.first;
    command.dscp = offer.second;
    Command(node, command);
    AwaitListening(node);
    return port;
}

/// Waits until a node takes connections at its newest port. Events that come before are told later.
void
AgentPool::AwaitListening(std::uint32_t node)
{
    SendCommands();
    AgentEvents events;
    for (bool listens = false; !listens;)
    {
        const ssize_t size = recv(m_agents[node].socket, events.data(), sizeof events, 0);
        if (size <= 0)
        {
            return; // it has died, which is noticed by its socket
        }
        for (std::size_t i = 0; i < std::size_t(size) / sizeof(AgentEvent); ++i)
        {
            const AgentEvent& event = events[i];
            listens = listens || event.kind == AgentEvent::Kind::Listening;
            if (event.kind != AgentEvent::Kind::Listening)
            {
                Simulator::ScheduleNow([this, event] { Serve(event); });
            }
        }
    }
}

Lateness
AgentPool::MessageLateness() const
{
    Lateness all = m_eventLateness;
    for (std::uint32_t node = 0; node < m_agents.size(); ++node)
    {
        all.Add(m_commandLateness[node]);
    }
    return all;
}

void
AgentPool::Send(std::uint32_t connection, std::uint64_t message, std::int64_t bytes)
{
    const Connection& carrier = m_connections[connection];
    AgentCommand command = {};
    command.kind = AgentCommand::Kind::Expect;
    command.connection = connection;
    command.message = message;
    command.bytes = bytes;
    m_handedOver[connection] += bytes;
    m_busy += IsBusy(connection) ? 0 : 1;
    m_isDrained[connection] = false;
    ++m_undelivered[connection];
    Command(carrier.destination, command);
    command.kind = AgentCommand::Kind::Send;
    Command(carrier.source, command);
}

/// Commands of one simulated moment go out together.
void
AgentPool::Command(std::uint32_t node, const AgentCommand& command)
{
    Agent& agent = m_agents[node];
    const bool isExpectation = command.kind == AgentCommand::Kind::Expect;
    auto& queue = isExpectation ? agent.expectations : agent.commands;
    queue.push_back(command);
    queue.back().toldNs = MonotonicNs();
    if (!m_hasCommands)
    {
        m_hasCommands = true;
        Simulator::ScheduleNow([this] { SendCommands(); });
    }
}

void
AgentPool::SendCommands()
{
    m_hasCommands = false;
    // What an agent is to expect reaches it before another agent sends it.
    for (const auto kind : {&Agent::expectations, &Agent::commands})
    {
        for (Agent& agent : m_agents)
        {
            auto& commands = agent.*kind;
            for (std::size_t first = 0; first < commands.size(); first += s_mostPerPacket)
            {
                const std::size_t count = std::min(commands.size() - first, s_mostPerPacket);
                // An agent that has died is noticed by its socket.
                static_cast<void>(send(
                    agent.socket, &commands[first], count * sizeof(AgentCommand), MSG_NOSIGNAL));
            }
            commands.clear();
        }
    }
}

const ConnectionState&
AgentPool::StateOf(std::uint32_t connection) const
{
    return m_states[connection];
}

bool
AgentPool::HasOutstanding() const
{
    return m_busy > 0;
}

bool
AgentPool::IsBusy(std::uint32_t connection) const
{
    return !m_isDrained[connection] || m_undelivered[connection] > 0;
}

/// Returns whether more was handed over while the event was on its way here.
bool
AgentPool::IsStale(const AgentEvent& event) const
{
    return event.kind == AgentEvent::Kind::Drained &&
           event.message != static_cast<std::uint64_t>(m_handedOver[event.connection]);
}

void
AgentPool::Tell(const AgentEvent& event)
{
    const std::uint32_t connection = event.connection;
    const bool wasBusy = IsBusy(connection);
    const bool hasFailed = event.kind == AgentEvent::Kind::Failed;
    m_isDrained[connection] =
        m_isDrained[connection] || hasFailed || event.kind == AgentEvent::Kind::Drained;
    if (hasFailed)
    {
        m_undelivered[connection] = 0;
    }
    else if (event.kind == AgentEvent::Kind::Delivered && m_undelivered[connection] > 0)
    {
        --m_undelivered[connection];
    }
    m_busy -= wasBusy && !IsBusy(connection) ? 1 : 0;
    m_connections[connection].onEvent(event);
}

void
AgentPool::Serve(const AgentEvent& event)
{
    if (!IsStale(event))
    {
        Tell(event);
    }
}

void
AgentPool::ReadEvents(std::uint32_t node)
{
    AgentEvents events;
    for (;;)
    {
        const ssize_t size =
            recv(m_agents[node].socket, events.data(), sizeof events, MSG_DONTWAIT);
        const std::int64_t nowNs = MonotonicNs();
        for (std::size_t i = 0; i < std::size_t(std::max<ssize_t>(size, 0)) / sizeof(AgentEvent);
             ++i)
        {
            m_eventLateness.Add(nowNs - events[i].toldNs);
            Serve(events[i]);
        }
        if (size > 0)
        {
            continue;
        }
        if (size == 0 || (errno != EAGAIN && errno != EINTR))
        {
            OnDeath(node);
        }
        return;
    }
}

/// Lets all connections of a node fail.
void
AgentPool::OnDeath(std::uint32_t node)
{
    Agent& agent = m_agents[node];
    WallClockSimulatorImpl::InUse().ForgetDescriptor(agent.socket);
    const int code = agent.process.Wait();
    const bool isKilled = code > 128;
    AgentEvent event = {};
    event.kind = AgentEvent::Kind::Failed;
    std::snprintf(event.reason.data(),
                  event.reason.size(),
                  isKilled ? "the agent of node %u was killed by signal %d"
                           : "the agent of node %u ended with code %d",
                  node,
                  isKilled ? code - 128 : code);
    for (std::uint32_t i = 0; i < m_connections.size(); ++i)
    {
        if (m_connections[i].source == node || m_connections[i].destination == node)
        {
            event.connection = i;
            Tell(event);
        }
    }
}

void
AgentPool::FailAll(const std::string& reason)
{
    AgentEvent event = {};
    event.kind = AgentEvent::Kind::Failed;
    reason.copy(event.reason.data(), event.reason.size() - 1);
    for (std::uint32_t i = 0; i < m_connections.size(); ++i)
    {
        event.connection = i;
        Tell(event);
    }
}

} // namespace ns3
