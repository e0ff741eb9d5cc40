// SPDX-License-Identifier: GPL-2.0-only
// Makes the sample of the draft's section 3.3.
#include "bulk-tcp/model/delivery-rate.h"

#include <algorithm>

namespace ns3
{

namespace
{

/// Converts without NanoSeconds(), which would convert the unit.
Time
FromNs(std::int64_t ns)
{
    return TimeStep(static_cast<std::uint64_t>(ns));
}

} // namespace

void
DeliveryRate::OnAppLimited(std::uint64_t inFlight)
{
    m_appLimitedUntil = std::max<std::uint64_t>(m_delivered + inFlight, 1);
}

const TcpRateOps::TcpRateSample&
DeliveryRate::Sample(std::uint64_t newlyDelivered,
                     std::uint64_t newlyLost,
                     std::uint64_t priorInFlight,
                     std::int64_t minRttNs)
{
    if (m_delivered > m_appLimitedUntil)
    {
        m_appLimitedUntil = 0;
    }
    m_sample.m_ackedSacked = static_cast<std::uint32_t>(newlyDelivered);
    m_sample.m_bytesLoss = static_cast<std::uint32_t>(newlyLost);
    m_sample.m_priorInFlight = static_cast<std::uint32_t>(priorInFlight);
    m_connection.m_delivered = m_delivered;
    m_connection.m_deliveredTime = FromNs(m_deliveredNs);
    m_connection.m_firstSentTime = FromNs(m_firstSentNs);
    m_connection.m_appLimited = static_cast<std::uint32_t>(m_appLimitedUntil);
    Measure(minRttNs);
    return m_sample;
}

void
DeliveryRate::Measure(std::int64_t minRttNs)
{
    if (!m_hasNewest)
    {
        Clear();
        m_sample.m_delivered = -1;
        return;
    }
    m_hasNewest = false;
    m_connection.m_txItemDelivered = static_cast<std::uint32_t>(m_newest.delivered);
    m_sample.m_priorDelivered = static_cast<std::uint32_t>(m_newest.delivered);
    m_sample.m_priorTime = FromNs(m_newest.deliveredNs);
    m_sample.m_isAppLimited = m_newest.appLimited;
    const std::int64_t sendNs = m_newestSentNs - m_newest.firstSentNs;
    const std::int64_t ackNs = m_deliveredNs - m_newest.deliveredNs;
    const std::int64_t intervalNs = std::max(sendNs, ackNs);
    m_sample.m_sendElapsed = FromNs(sendNs);
    m_sample.m_ackElapsed = FromNs(ackNs);
    m_sample.m_interval = FromNs(intervalNs);
    m_sample.m_delivered = static_cast<std::int32_t>(m_delivered - m_newest.delivered);
    if (intervalNs <= 0 || intervalNs < minRttNs)
    {
        Clear();
        return;
    }
    m_connection.m_rateDelivered = m_sample.m_delivered;
    m_connection.m_rateInterval = m_sample.m_interval;
    m_connection.m_rateAppLimited = m_sample.m_isAppLimited;
    m_sample.m_deliveryRate =
        DataRate(static_cast<std::uint64_t>(static_cast<double>(m_delivered - m_newest.delivered) *
                                            8e9 / static_cast<double>(intervalNs)));
}

void
DeliveryRate::Clear()
{
    m_sample.m_interval = Time(0);
    m_sample.m_priorTime = Time(0);
    m_sample.m_deliveryRate = DataRate(0);
}

const TcpRateOps::TcpRateConnection&
DeliveryRate::Connection() const
{
    return m_connection;
}

} // namespace ns3
