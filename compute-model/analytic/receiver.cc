// SPDX-License-Identifier: GPL-2.0-only
// Counts segments, and the acknowledgements that answer them.
#include "analytic/receiver.h"

#include "analytic/analytic-path.h"

#include <algorithm>
#include <utility>

namespace geotrain
{

namespace
{

// Segments per acknowledgement (RFC 5681, section 4.2).
constexpr std::int64_t segmentsToAcknowledge = 2;

constexpr Duration longestHold = Duration::Milliseconds(40); // of an acknowledgement, bulk-tcp's

constexpr std::int64_t firstWindow = 65535; // bytes, the most that a SYN's answer offers
constexpr std::int64_t mostOneByOne = 16;   // Linux's TCP_MAX_QUICKACKS

/// Returns the segments that are acknowledged one by one in a window of `window` bytes.
std::int64_t
OneByOne(std::int64_t window, std::int64_t segment)
{
    return std::clamp<std::int64_t>(window / (2 * segment), 2, mostOneByOne);
}

} // namespace

Duration
Receiver::LongestHold() const
{
    return Held() > 0 ? longestHold : Duration();
}

Receiver::Receiver(std::int64_t segment, std::int64_t window, Duration roundTrip)
    : m_segment(segment),
      m_window(window),
      m_timeout(roundTrip +
                std::max(roundTrip * 2, leastTimeoutVariation)), // RFC 6298, section 2.2
      m_oneByOne(OneByOne(std::min(window, firstWindow), m_segment))
{
}

void
Receiver::ResumeAfter(Duration pause)
{
    if (pause > m_timeout)
    {
        m_oneByOne = OneByOne(m_window, m_segment);
    }
}

Reception
Receiver::Receive(std::int64_t bytes, Instant firstSent, Instant lastSent, bool endsMessage)
{
    const std::int64_t segments = (bytes + m_segment - 1) / m_segment;
    const std::int64_t oneByOne = std::min(segments, m_oneByOne);
    const std::int64_t inPairs = segments - oneByOne + (m_isOdd && oneByOne == 0 ? 1 : 0);
    const bool firstAtOnce = m_isOdd || oneByOne > 0;
    m_oneByOne -= oneByOne;
    m_isOdd = inPairs % segmentsToAcknowledge == 1 && !endsMessage;
    Reception reception;
    AcknowledgedTrain& train = reception.train;
    train.firstSent = firstSent;
    train.lastSent = lastSent;
    train.acknowledgements =
        oneByOne + (inPairs + (m_isOdd ? 0 : 1)) / segmentsToAcknowledge; // rounded up at an end
    reception.untilFirst = (firstAtOnce ? 1 : segmentsToAcknowledge) * m_segment;
    train.bytes = bytes + m_held;
    train.held = m_held > 0 ? firstSent - m_heldSince : Duration();
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
Receiver::Held() const
{
    return m_held;
}

Instant
Receiver::HoldsUntil() const
{
    return m_held > 0 ? m_heldSince + longestHold + Duration::Nanoseconds(1) : Instant::Never();
}

std::int64_t
Receiver::ReleaseHeld(Instant now)
{
    if (m_held == 0 || now < HoldsUntil())
    {
        return 0;
    }
    m_isOdd = false;
    return std::exchange(m_held, 0);
}

void
Receiver::Reset()
{
    m_isOdd = false;
    m_held = 0;
}

} // namespace geotrain
