// SPDX-License-Identifier: GPL-2.0-only
// Counts segments, and the acknowledgements that answer them.
#include "analytic/receiver.h"

#include <algorithm>
#include <utility>

namespace geotrain
{

namespace
{

// Segments per acknowledgement (RFC 5681, section 4.2).
constexpr std::int64_t segmentsToAcknowledge = 2;

// Longest time for which bulk-tcp's receiver holds an acknowledgement.
constexpr Duration longestHold = Duration::Milliseconds(40);

} // namespace

Duration
Receiver::LongestHold() const
{
    return Held() > 0 ? longestHold : Duration();
}

StockReceiver::StockReceiver(std::int64_t segment)
    : m_segment(segment)
{
}

Reception
StockReceiver::Receive(std::int64_t bytes, Instant firstSent, Instant lastSent)
{
    const std::int64_t step = segmentsToAcknowledge * std::max<std::int64_t>(1, m_segment);
    Reception reception;
    reception.train.bytes = bytes;
    reception.train.firstSent = firstSent;
    reception.train.lastSent = lastSent;
    reception.train.acknowledgements = std::max<std::int64_t>(1, bytes / step);
    reception.untilFirst = segmentsToAcknowledge * m_segment;
    return reception;
}

DelayingReceiver::DelayingReceiver(std::int64_t segment)
    : m_segment(std::max<std::int64_t>(1, segment))
{
}

Reception
DelayingReceiver::Receive(std::int64_t bytes, Instant firstSent, Instant lastSent)
{
    const std::int64_t segments = (bytes + m_segment - 1) / m_segment;
    Reception reception;
    AcknowledgedTrain& train = reception.train;
    train.firstSent = firstSent;
    train.lastSent = lastSent;
    train.acknowledgements = (segments + (m_isOdd ? 1 : 0)) / segmentsToAcknowledge;
    reception.untilFirst = (m_isOdd ? 1 : segmentsToAcknowledge) * m_segment;
    train.bytes = bytes + m_held;
    train.held = m_held > 0 ? firstSent - m_heldSince : Duration();
    m_isOdd = m_isOdd != (segments % segmentsToAcknowledge == 1);
    m_held = 0;
    if (m_isOdd)
    {
        reception.afterLast = bytes - (segments - 1) * m_segment;
        m_held = train.acknowledgements > 0 ? reception.afterLast : train.bytes;
        m_heldSince = lastSent;
        train.bytes -= m_held;
    }
    return reception;
}

std::int64_t
DelayingReceiver::Held() const
{
    return m_held;
}

Instant
DelayingReceiver::HoldsUntil() const
{
    return m_held > 0 ? m_heldSince + longestHold + Duration::Nanoseconds(1) : Instant::Never();
}

std::int64_t
DelayingReceiver::ReleaseHeld(Instant now)
{
    if (m_held == 0 || now < HoldsUntil())
    {
        return 0;
    }
    m_isOdd = false;
    return std::exchange(m_held, 0);
}

void
DelayingReceiver::Reset(bool isNew)
{
    m_isOdd = isNew;
    m_held = 0;
}

} // namespace geotrain
