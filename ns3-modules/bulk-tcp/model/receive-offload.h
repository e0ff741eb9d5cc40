// SPDX-License-Identifier: GPL-2.0-only
// Merges data packets of one connection that a NIC hands over in one interrupt, as Linux's generic
// receive offload does (tcp_gro_receive and skb_gro_receive of Linux 6.18), so that TCP takes and
// acknowledges them as one. It is a function of packets without a clock: the owner knows when the
// interrupt comes. It ignores that connections share a NIC's interrupts, and that acknowledgements
// wait for an interrupt too.
#pragma once

#include "wan-topology/model/packet-record.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ns3
{

/// ReceiveOffload holds what has come since the last interrupt.
class ReceiveOffload
{
  public:
    /// A Run is packets that follow each other in the stream, as one.
    struct Run
    {
        PacketRecord data;
        std::uint32_t packets;
    };

    /// Takes a data packet, or a burst. Returns whether it is the first since the last interrupt.
    bool Add(const PacketRecord& data)
    {
        const bool isFirst = m_runs.empty();
        const bool goesOn = data.offset == m_next && IsAlike(data);
        if (goesOn && data.followers == 0)
        {
            ExtendBy(data.length, 1, data.length);
            return false;
        }
        const std::uint32_t packets = data.Packets();
        const std::uint32_t each = data.length / packets;
        std::uint32_t taken = goesOn ? Extend(data) : 0;
        while (taken < packets)
        {
            const std::uint32_t most = std::max(s_mostBytes / each, 1U);
            const std::uint32_t count = std::min(packets - taken, most);
            Begin(data.Part(taken, count));
            taken += count;
        }
        return isFirst;
    }

    /// Returns the runs, in the order in which they have begun, until the next call.
    const std::vector<Run>& Take()
    {
        m_taken.clear();
        m_taken.swap(m_runs);
        m_next = s_none;
        return m_taken;
    }

  private:
    /// Lets the last run go on with as many of the packets as it has room for, and returns their number.
    std::uint32_t Extend(const PacketRecord& data)
    {
        const std::uint32_t each = data.length / data.Packets();
        const std::uint64_t room = (m_mostEnd - data.offset) / each;
        const auto count =
            static_cast<std::uint32_t>(std::min<std::uint64_t>(room, data.Packets()));
        ExtendBy(count * each, count, each);
        return count;
    }

    void ExtendBy(std::uint32_t bytes, std::uint32_t packets, std::uint32_t lastLength)
    {
        Run& run = m_runs.back();
        run.data.length += bytes;
        run.packets += packets;
        NoteEnd(m_next + bytes, lastLength);
    }

    void Begin(const PacketRecord& data)
    {
        m_segment = data.length / data.Packets();
        m_runs.push_back({data, data.Packets()});
        m_runs.back().data.followers = 0;
        const std::uint64_t most = data.offset + s_mostBytes / m_segment * m_segment;
        m_mostEnd = std::min(most, data.message.end);
        NoteEnd(data.offset + data.length, m_segment);
    }

    /// A packet that is shorter than the first one or ends a message (PSH) is the last of its run.
    void NoteEnd(std::uint64_t end, std::uint32_t lastLength)
    {
        m_next = lastLength == m_segment && end < m_mostEnd ? end : s_none;
    }

    /// Returns whether a packet may be merged with the last run, by all but its place. Timestamps and
    /// marks must be the same, and CWR begins a run.
    bool IsAlike(const PacketRecord& data) const
    {
        const PacketRecord& run = m_runs.back().data;
        return data.length / data.Packets() <= m_segment && data.timestampMs == run.timestampMs &&
               data.flags == (run.flags & ~PacketRecord::WindowReduced);
    }

    static constexpr std::uint64_t s_none = UINT64_MAX;
    /// Payload below GRO_LEGACY_MAX_SIZE, 65,536 bytes with IPv4, TCP and its timestamps.
    static constexpr std::uint32_t s_mostBytes = 65535 - 52;

    std::vector<Run> m_runs;
    std::vector<Run> m_taken;
    std::uint32_t m_segment = 0; ///< bytes of the first packet of the last run
    std::uint64_t m_next = s_none; ///< where the last run may go on
    std::uint64_t m_mostEnd = 0;   ///< its end at most
};

} // namespace ns3
