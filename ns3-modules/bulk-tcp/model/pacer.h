// SPDX-License-Identifier: GPL-2.0-only
// Says when the next packet may go at a pacing rate. It is a function of times and lengths, without
// a clock. Window-based controls send bursts of a millisecond, as Linux's segmentation offload
// does. Controls that pace by themselves send packet by packet, as ns-3's sockets do. Headers are
// ignored: a rate is one of payload.
#pragma once

#include <cstdint>

namespace ns3
{

/// Pacer paces one connection.
class Pacer
{
  public:
    /// `leastBurst` is the bytes of a burst at least.
    explicit Pacer(std::uint32_t leastBurst = 0)
        : m_leastBurst(leastBurst)
    {
    }

    /// Sets the rate of bursts in bit/s, above 0.
    void SetRate(std::uint64_t bitsPerSecond)
    {
        m_bytesPerNs = static_cast<double>(bitsPerSecond) / 8e9;
        m_nsPerByte = 1 / m_bytesPerNs;
    }

    /// Notes that a packet of `length` bytes goes out in a burst. Unused time is lost, not saved.
    void OnSent(std::int64_t nowNs, std::uint32_t length);

    /// Notes that a burst of `length` bytes goes out as one. A burst that comes later than it might have
    /// makes the wait after it shorter, by half at most (Linux's tcp_update_skb_after_send).
    void OnSentBurst(std::int64_t nowNs, std::uint64_t length);

    /// Notes that a packet of `length` bytes goes out at a rate in bit/s. A packet that is sent
    /// before NextNs() delays nothing.
    void OnSentAlone(std::int64_t nowNs, std::uint32_t length, std::uint64_t bitsPerSecond);

    /// Returns the time before which nothing may be sent.
    std::int64_t NextNs() const
    {
        return m_burstEndNs;
    }

    bool Holds(std::int64_t nowNs) const
    {
        return nowNs < m_burstEndNs;
    }

    /// Forgets what was sent.
    void Restart(std::int64_t nowNs)
    {
        m_nextNs = nowNs;
        m_burstEndNs = nowNs;
    }

  private:
    double m_bytesPerNs = 0;
    double m_nsPerByte = 0;
    std::int64_t m_nextNs = 0; ///< when everything sent so far would have left at the rate
    /// End of the last whole burst at the rate: the current burst may run ahead of the rate.
    std::int64_t m_burstEndNs = 0;
    double m_burstBytes = 0;
    double m_leastBurst;
};

} // namespace ns3
