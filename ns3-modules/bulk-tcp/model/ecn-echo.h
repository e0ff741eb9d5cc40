// SPDX-License-Identifier: GPL-2.0-only
// What a receiver tells its sender of congestion marks: until the window is reduced (RFC 3168,
// section 6.1.3), or each change of them for DCTCP (RFC 8257, section 3.2).
#pragma once

#include "wan-topology/model/packet-record.h"

#include <cstdint>
#include <optional>

namespace ns3
{

class EcnEcho
{
  public:
    virtual ~EcnEcho() = default;

    /// The sender's SYN has come.
    void Begin(bool isDctcp)
    {
        m_isDctcp = isDctcp;
    }

    /// Neither of the two functions below has anything to do for a data segment: nothing is marked,
    /// nor was before.
    bool IsQuiet(const PacketRecord& data) const
    {
        return !m_isDctcp && !m_isOn && !IsMarked(data);
    }

    /// A data segment has come, before which `next` was the first byte missing. Where the marks
    /// change while an acknowledgement is `waiting`, gives the byte up to which that is to go out
    /// at once, with IsOn() as before; the change is noted by Settle().
    std::optional<std::uint64_t>
    OnData(const PacketRecord& data, std::uint64_t next, bool waiting) const
    {
        const bool changes = m_isDctcp && IsMarked(data) != m_isOn && waiting;
        return changes ? std::optional(AckedBefore(next)) : std::nullopt;
    }

    void Settle(const PacketRecord& data, std::uint64_t next);

    /// Whether acknowledgements carry ECE.
    bool IsOn() const
    {
        return m_isOn;
    }

  protected:
    /// What is acknowledged with the marks as they were.
    virtual std::uint64_t AckedBefore(std::uint64_t next) const
    {
        return next;
    }

    std::uint64_t m_beforeLast = 0; ///< `next` of the segment before

  private:
    static bool IsMarked(const PacketRecord& data)
    {
        return (data.flags & PacketRecord::CongestionExperienced) != 0;
    }

    bool m_isDctcp = false;
    bool m_isOn = false;
};

inline void
EcnEcho::Settle(const PacketRecord& data, std::uint64_t next)
{
    m_beforeLast = next;
    const bool isKept = m_isOn && (data.flags & PacketRecord::WindowReduced) == 0;
    m_isOn = IsMarked(data) || (!m_isDctcp && isKept);
}

/// ns-3 3.37 leaves the segment out that awaits its acknowledgement. For comparison with its
/// sockets only.
class StockEcnEcho final : public EcnEcho
{
  private:
    std::uint64_t AckedBefore(std::uint64_t /*next*/) const override
    {
        return m_beforeLast;
    }
};

} // namespace ns3
