// SPDX-License-Identifier: GPL-2.0-only
// What a live run and its agents tell each other: packets of up to s_mostPerPacket commands or events
// on a socket of type SOCK_SEQPACKET, and a table of connections in memory that they share.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <type_traits>

namespace ns3
{

/// An AgentCommand asks an agent for something.
struct AgentCommand
{
    enum class Kind : std::uint32_t
    {
        Listen,  ///< accept connections at `port`, with a window of `bytes` and a mark
        Connect, ///< open `connection` to the node `peer` at `port`, which offers `bytes`
        Expect,  ///< `message` of `bytes` comes next on `connection`
        Send     ///< send `message` of `bytes` on `connection`
    };

    Kind kind;
    std::uint32_t connection;
    std::uint32_t peer;
    std::uint32_t port;
    std::uint64_t message;
    std::int64_t bytes;
    std::int64_t toldNs;          ///< CLOCK_MONOTONIC
    std::array<char, 16> control; ///< Connect: the kernel's name of a congestion control
    std::uint64_t pacingRate;     ///< Connect: most bytes per second of a paced connection; 0: not paced
    std::uint8_t dscp;            ///< Listen, Connect: mark of the packets (RFC 2474)
};

/// An AgentEvent tells what happened in a node.
struct AgentEvent
{
    enum class Kind : std::uint32_t
    {
        Listening, ///< a port takes connections
        FirstByte, ///< the first byte of `message` came
        Sent,      ///< the last byte of `message` was given to the wire, but for a few segments
        Delivered, ///< all bytes of `message` came
        Drained,   ///< all data of `connection`, `message` bytes so far, is acknowledged
        Failed     ///< `connection` has ended; `reason` says why
    };

    Kind kind;
    std::uint32_t connection;
    std::uint64_t message;
    std::int64_t toldNs; ///< CLOCK_MONOTONIC
    std::array<char, 80> reason;
};

/// A ConnectionState is what the kernel says of a connection (TCP_INFO, tcp(7)), which its sender's
/// agent writes, and what has arrived, which its receiver's agent writes.
struct ConnectionState
{
    std::int64_t congestionWindow; ///< bytes
    std::int64_t roundTripNs;      ///< smoothed; 0 before the first
    std::int64_t inFlight;         ///< bytes
    std::int64_t retransmitted;    ///< bytes
    std::int64_t acknowledged;     ///< bytes
    std::int64_t written;          ///< bytes handed to the kernel
    std::int64_t received;         ///< bytes
};

/// Returns CLOCK_MONOTONIC, which all processes of a machine share.
inline std::int64_t
MonotonicNs()
{
    timespec now = {};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return std::int64_t(now.tv_sec) * 1000000000 + now.tv_nsec;
}

/// A packet is one system call for each end.
constexpr std::size_t s_mostPerPacket = 64;

using AgentCommands = std::array<AgentCommand, s_mostPerPacket>;
using AgentEvents = std::array<AgentEvent, s_mostPerPacket>;

static_assert(std::is_trivially_copyable_v<AgentCommand>);
static_assert(std::is_trivially_copyable_v<AgentEvent>);

} // namespace ns3
