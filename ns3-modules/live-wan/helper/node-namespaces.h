// SPDX-License-Identifier: GPL-2.0-only
// Makes a network namespace for each node of a live WAN, with one interface, eth0, whose other end
// stays with the caller as port<number>. A node reaches the other nodes and nothing else: there is
// no default route, no forwarding and no IPv6. The program `ip` (iproute2) does the work. Nothing
// has to be taken down: namespaces without a name end with the processes that hold them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/// NodeNamespaceSettings are the same for all nodes.
struct NodeNamespaceSettings
{
    std::uint32_t nodes = 0; ///< at most LiveAddresses::s_mostNodes
    std::uint32_t mtu = 1500;
    std::int64_t tcpWindow = 0; ///< bytes that the kernel's TCP must be able to keep in flight
    /// Whether the kernel grows a receiver's buffer with what arrives. It raises a clamp of the window
    /// (TCP_WINDOW_CLAMP) with the buffer, so that agents, whose windows are fixed, go without.
    bool growsWindows = true;
    bool slowStartAfterIdle = true; ///< of the kernel's TCP (RFC 2861)
    bool ecn = false;               ///< whether the kernel's TCP asks for ECN (RFC 3168)
};

/// NodeNamespaces holds the namespaces open.
class NodeNamespaces
{
  public:
    /// Makes all of them. The caller has CAP_NET_ADMIN and CAP_SYS_ADMIN in a network namespace of its
    /// own (StartApart). Throws geotrain::ConfigError, which names `command`, where it can't.
    NodeNamespaces(const NodeNamespaceSettings& settings, const std::string& command);
    ~NodeNamespaces();
    NodeNamespaces(const NodeNamespaces&) = delete;
    NodeNamespaces& operator=(const NodeNamespaces&) = delete;

    /// Returns the interface of the caller that is the other end of the node's eth0.
    static std::string PortOf(std::uint32_t node);

    /// Moves this process into the node's namespace.
    void Enter(std::uint32_t node) const;

    /// Returns the frames that the kernel has dropped so far between the ports and their nodes.
    std::uint64_t KernelDrops() const;

  private:
    void AddNode(std::uint32_t node);
    void ConfigureNode(std::uint32_t node) const;
    void ConfigurePorts() const;
    void EnterNamespace(int descriptor) const;

    NodeNamespaceSettings m_settings;
    std::string m_command;
    int m_own = -1;
    std::vector<int> m_nodes;    ///< namespaces
    std::vector<int> m_counters; ///< /proc/net/dev of each node, then of the caller
};

} // namespace ns3
