// SPDX-License-Identifier: GPL-2.0-only
// Decides how a receiver echoes congestion marks to its sender: until the window is reduced (RFC
// 3168, section 6.1.3), or at each change of the marks for DCTCP (RFC 8257, section 3.2).
#pragma once

#include "wan-topology/model/packet-record.h"

#include <cstdint>
#include <optional>

namespace ns3
{

/// EcnEcho is the receiver's ECN state.
class EcnEcho
{
  public:
    /// `isLate` leaves out the segment that awaits its acknowledgement, as ns-3 3.37 does. It serves
    /// only the comparison with ns-3's sockets.
    explicit EcnEcho(bool isLate = false)
        : m_isLate(isLate)
    {
    }

    /// Begins when the sender's SYN has come.
    void Begin(bool isDctcp)
    {
        m_isDctcp = isDctcp;
    }

    /// Returns whether OnData() and Settle() have nothing to do for a data segment: neither it nor
    /// anything before it is marked.
    bool IsQuiet(const PacketRecord& data) const
    {
        return !m_isDctcp && !m_isOn && !IsMarked(data);
    }

    /// Takes a data segment, before which `next` was the first missing byte. If the marks change
    /// while an acknowledgement is `waiting`, returns the byte up to which to acknowledge at once,
    /// with IsOn() still unchanged. Settle() then notes the change.
    std::optional<std::uint64_t>
    OnData(const PacketRecord& data, std::uint64_t next, bool waiting) const
    {
        const bool changes = m_isDctcp && IsMarked(data) != m_isOn && waiting;
        return changes ? std::optional(m_isLate ? m_beforeLast : next) : std::nullopt;
    }

    void Settle(const PacketRecord& data, std::uint64_t next);

    /// Returns whether acknowledgements carry ECE.
    bool IsOn() const
    {
        return m_isOn;
    }

  private:
    static bool IsMarked(const PacketRecord& data)
    {
        return (data.flags & PacketRecord::CongestionExperienced) != 0;
    }

    bool m_isLate;
    bool m_isDctcp = false;
    bool m_isOn = false;
    std::uint64_t m_beforeLast = 0; ///< `next` at the previous segment
};

inline void
EcnEcho::Settle(const PacketRecord& data, std::uint64_t next)
{
    m_beforeLast = next;
    const bool isKept = m_isOn && (data.flags & PacketRecord::WindowReduced) == 0;
    m_isOn = IsMarked(data) || (!m_isDctcp && isKept);
}

} // namespace ns3
