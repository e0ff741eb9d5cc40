// SPDX-License-Identifier: GPL-2.0-only
// Counts congestion marks at both ends of a connection with AccECN (RFC 9768): the receiver counts
// marked packets, its acknowledgements carry the count modulo 8 (ACE), and the sender finds out by how
// much it grew. The AccECN option, with its counts of bytes, is not there.
#pragma once

#include "wan-topology/model/packet-record.h"

#include <cstdint>

namespace ns3
{

/// AccurateEcnFeedback is what an acknowledgement says to a control that asked for AccECN.
struct AccurateEcnFeedback
{
    std::uint32_t deliveredBytes = 0; ///< newly delivered, marked ones included
    std::uint32_t markedPackets = 0;  ///< found to be marked
    bool isWindowLimit = true;        ///< the window was the limit of what was sent
};

/// An AccurateEcnListener is a congestion control that asks for AccECN and sends ECT(1).
class AccurateEcnListener
{
  public:
    virtual ~AccurateEcnListener() = default;

    /// Called with every acknowledgement, before CongControl(), once the other end has agreed.
    virtual void OnFeedback(const AccurateEcnFeedback& feedback) = 0;
};

/// AceCount counts at the receiver.
class AceCount
{
  public:
    /// The first value of both ends' counts (RFC 9768, 3.2.1).
    static constexpr std::uint64_t s_first = 5;

    void Begin(bool isAsked)
    {
        m_isOn = isAsked;
    }

    bool IsOn() const
    {
        return m_isOn;
    }

    void OnData(const PacketRecord& data)
    {
        const bool isMarked = (data.flags & PacketRecord::CongestionExperienced) != 0;
        m_count += isMarked ? 1 : 0;
        m_hasBegun = m_hasBegun || (isMarked && !m_wasMarked);
        m_wasMarked = isMarked;
    }

    /// Returns whether an acknowledgement is due at once: marks begin, or a second one has come since
    /// the last acknowledgement (RFC 9768, 3.2.2.5.1).
    bool WantsAcknowledgement() const
    {
        return m_isOn && (m_hasBegun || m_count >= m_told + 2);
    }

    /// Returns the field of an acknowledgement that goes out.
    std::uint8_t Tell()
    {
        m_told = m_count;
        m_hasBegun = false;
        return m_isOn ? static_cast<std::uint8_t>(m_count % 8) : 0;
    }

  private:
    bool m_isOn = false;
    bool m_wasMarked = false;
    bool m_hasBegun = false; ///< a mark after an unmarked packet, untold
    std::uint64_t m_count = s_first;
    std::uint64_t m_told = s_first;
};

/// AceReader finds at the sender by how much the count grew.
class AceReader
{
  public:
    /// Takes the field of an acknowledgement that newly delivers `packets`, and returns how many were
    /// marked. One that delivers nothing may be an old one and says nothing; its marks come with the
    /// next. Where more packets are delivered than the field can count, as after lost acknowledgements,
    /// as many marks as they allow are assumed (RFC 9768, 3.2.2.5.2 and A.2.1).
    std::uint32_t OnAck(std::uint8_t ace, std::uint32_t packets)
    {
        if (packets == 0)
        {
            return 0;
        }
        std::uint32_t grown = static_cast<std::uint32_t>(ace + 8 - m_count % 8) % 8;
        if (packets > 7)
        {
            grown = packets - (packets - grown) % 8;
        }
        m_count += grown;
        return grown;
    }

  private:
    std::uint64_t m_count = AceCount::s_first;
};

} // namespace ns3
