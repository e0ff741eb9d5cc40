// SPDX-License-Identifier: GPL-2.0-only
// Starts one agent a node and gives them work. Connections are numbered through all nodes.
#pragma once

#include "live-wan/helper/node-namespaces.h"
#include "live-wan/helper/shared-memory.h"
#include "live-wan/model/agent-messages.h"
#include "live-wan/model/lateness.h"
#include "units/child-process.h"

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/// An AgentPool is the agents of one run. The simulator follows the wall clock (UseWallClock).
class AgentPool
{
  public:
    using EventCallback = std::function<void(const AgentEvent& event)>;

    /// A Connection is what to open.
    struct Connection
    {
        std::uint32_t source;
        std::uint32_t destination;
        std::string control;   ///< the kernel's name of a congestion control
        std::int64_t window;   ///< most bytes in flight
        std::uint64_t pacingRate; ///< most bytes per second; 0: a control based on windows is not paced
        EventCallback onEvent; ///< is told of all events of the connection
        std::uint8_t dscp = 0; ///< mark of its packets
    };

    /// Starts an agent in each of the first `count` nodes. `nodes` outlives the pool.
    AgentPool(const NodeNamespaces& nodes, std::uint32_t count);
    ~AgentPool();
    AgentPool(const AgentPool&) = delete;
    AgentPool& operator=(const AgentPool&) = delete;

    /// Opens a connection and returns its number.
    std::uint32_t Open(Connection connection);

    /// Lets the source of `connection` send a message.
    void Send(std::uint32_t connection, std::uint64_t message, std::int64_t bytes);

    /// Lets all connections fail.
    void FailAll(const std::string& reason);

    const ConnectionState& StateOf(std::uint32_t connection) const;

    /// Returns how long commands waited for agents, and events of agents for the executor.
    Lateness MessageLateness() const;

    /// Returns whether some message is still outside: its sender does not know yet that all of it came, or
    /// its receiver has not told of it. The two tell in any order.
    bool HasOutstanding() const;

    static constexpr std::uint32_t s_mostConnections = 1 << 16;

  private:
    using Offer = std::pair<std::int64_t, std::uint8_t>; ///< of a port: a window and a mark

    /// An Agent is one process.
    struct Agent
    {
        geotrain::ChildProcess process;
        int socket = -1;
        std::map<Offer, std::uint32_t> ports;
        std::vector<AgentCommand> expectations;      ///< commands that are not sent yet: Expect
        std::vector<AgentCommand> commands; ///< and others, which are sent after all of those
    };

    void Start(std::uint32_t node);
    std::uint32_t PortOf(std::uint32_t node, const Offer& offer);
    void AwaitListening(std::uint32_t node);
    void Command(std::uint32_t node, const AgentCommand& command);
    void SendCommands();
    void Serve(const AgentEvent& event);
    void ReadEvents(std::uint32_t node);
    void OnDeath(std::uint32_t node);

    void Tell(const AgentEvent& event);
    bool IsStale(const AgentEvent& event) const;
    bool IsBusy(std::uint32_t connection) const;

    const NodeNamespaces& m_nodes;
    SharedArray<ConnectionState> m_states;
    SharedArray<Lateness> m_commandLateness; ///< by node
    Lateness m_eventLateness;
    std::vector<Agent> m_agents; ///< by node
    std::vector<Connection> m_connections;
    std::vector<std::int64_t> m_handedOver; ///< bytes, by connection
    std::vector<bool> m_isDrained;          ///< by connection: all its data is acknowledged
    std::vector<std::uint32_t> m_undelivered; ///< messages, by connection
    std::uint32_t m_busy = 0;                 ///< connections with a message that is still outside
    bool m_hasCommands = false;             ///< some wait to be sent
};

} // namespace ns3
