// SPDX-License-Identifier: GPL-2.0-only
// What an agent asks of the kernel's TCP (tcp(7), socket(7)): listeners with a window, connections
// with a congestion control, and their counters.
#pragma once

#include "live-wan/model/agent-messages.h"

#include <sys/socket.h>

namespace ns3
{

/// KernelTcp has the system calls.
struct KernelTcp
{
    /// @name What is written and not sent: four segments or 1/32 of the window, and 1/8 of it at most.
    /// Stripes that wait for one connection while another is free cost a round trip. With less, TCP runs
    /// dry before the writer wakes, takes itself for limited by the application, and BBR never leaves its
    /// startup.
    /// @{
    static constexpr std::int64_t s_unsentSegments = 4;
    static constexpr std::int64_t s_leastUnsentShare = 32;
    static constexpr std::int64_t s_unsentShare = 8;
    /// @}

    /// Returns a socket that listens as `command` says, of which each connection has its window and its
    /// mark; -1 where it can't, with the reason in errno.
    static int Listen(const AgentCommand& command);

    /// Returns a socket of the congestion control, pacing and mark of `command`, which is not connected; -1
    /// where the kernel refuses.
    static int Open(const AgentCommand& command);

    /// Begins to connect to the peer of `command`. Returns false where the kernel refuses.
    static bool Connect(int socket, const AgentCommand& command);

    /// Returns whether a message of `bytes` ends a segment, as in simulation. Where that would make a
    /// quarter more segments, it does not: the kernel's windows count them, whatever they hold.
    static bool EndsSegment(int socket, std::int64_t bytes);

    /// Keeps what is written and not sent short. The connection is established, and may have `window`
    /// bytes in flight.
    static void BoundUnsent(int socket, std::int64_t window);

    /// Sets the window that a connection offers.
    static void SetWindow(int socket, int window);

    /// Lets a receiver acknowledge what it has read now, as after the end of a write: the kernel may have
    /// put the ends of two writes into a segment.
    static void Acknowledge(int socket);

    /// Reads the counters of a connection that has taken `written` bytes (TCP_INFO). Returns the bytes
    /// that are not acknowledged.
    static std::int64_t Measure(int socket, std::int64_t written, ConnectionState& state);

    /// Returns the error of a socket, and clears it.
    static int ErrorOf(int socket);
};

} // namespace ns3
