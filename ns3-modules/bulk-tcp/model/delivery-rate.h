// SPDX-License-Identifier: GPL-2.0-only
// Takes delivery-rate samples for congestion controls with HasCongControl
// (draft-cheng-iccrg-delivery-rate-estimation-02), in the terms of ns-3's TcpRateOps. Bytes are
// counted in 64 bits.
#pragma once

#include <ns3/tcp-rate-ops.h>

#include <cstdint>

namespace ns3
{

/// DeliverySnapshot is what a segment remembers of the connection from when it was sent.
struct DeliverySnapshot
{
    std::uint64_t delivered : 63; ///< bytes
    std::uint64_t appLimited : 1; ///< a flag
    std::int64_t deliveredNs;     ///< when `delivered` had last changed
    std::int64_t firstSentNs;     ///< when the segment was sent that was delivered last
};

/// DeliveryRate is the estimator of one connection. Times are in nanoseconds.
class DeliveryRate
{
  public:
    virtual ~DeliveryRate() = default;

    DeliverySnapshot OnSent(std::int64_t now, bool nothingInFlight)
    {
        if (nothingInFlight)
        {
            m_firstSentNs = now;
            m_deliveredNs = now;
        }
        return {
            m_delivered & (UINT64_MAX >> 1), m_appLimitedUntil != 0, m_deliveredNs, m_firstSentNs};
    }

    /// Notes that a segment of `length` bytes, sent at `sentNs`, is acknowledged or SACKed.
    void OnDelivered(std::int64_t now,
                     const DeliverySnapshot& snapshot,
                     std::int64_t sentNs,
                     std::uint32_t length)
    {
        m_delivered += length;
        m_deliveredNs = now;
        const bool sentLater = snapshot.delivered == m_newest.delivered && sentNs > m_newestSentNs;
        if (!m_hasNewest || snapshot.delivered > m_newest.delivered || sentLater)
        {
            m_hasNewest = true;
            m_newest = snapshot;
            m_newestSentNs = sentNs;
            m_firstSentNs = sentNs;
        }
    }

    /// Notes that the sender has nothing more to send while `inFlight` bytes are on the way.
    void OnAppLimited(std::uint64_t inFlight);

    /// Returns the sample of an acknowledgement, after all its OnDelivered(). `minRttNs` is
    /// INT64_MAX before the first measurement.
    const TcpRateOps::TcpRateSample& Sample(std::uint64_t newlyDelivered,
                                            std::uint64_t newlyLost,
                                            std::uint64_t priorInFlight,
                                            std::int64_t minRttNs);

    const TcpRateOps::TcpRateConnection& Connection() const;

    std::uint64_t Delivered() const
    {
        return m_delivered;
    }

  protected:
    /// Fills in the times and rates of the sample.
    virtual void Measure(std::int64_t minRttNs);

    std::uint64_t m_delivered = 0;
    std::int64_t m_deliveredNs = 0;
    std::int64_t m_firstSentNs = 0;

    /// These describe the segment sent last of those that this acknowledgement delivers.
    bool m_hasNewest = false;
    DeliverySnapshot m_newest{};
    std::int64_t m_newestSentNs = 0;

    TcpRateOps::TcpRateSample m_sample;
    TcpRateOps::TcpRateConnection m_connection;

  private:
    void Clear();

    std::uint64_t m_appLimitedUntil =
        0; ///< value of m_delivered at which the limit ends; 0: no limit
};

} // namespace ns3
