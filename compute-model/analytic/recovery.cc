// SPDX-License-Identifier: GPL-2.0-only
#include "analytic/recovery.h"

#include <algorithm>

namespace geotrain
{

Recovery::Recovery(std::int64_t segment)
    : m_segment(segment)
{
}

void
Recovery::Begin(std::int64_t sent,
                std::int64_t unacknowledged,
                std::int64_t pipe,
                std::int64_t threshold)
{
    m_isActive = true;
    m_isTimedOut = false;
    m_until = sent;
    m_threshold = threshold;
    m_flight = std::max<std::int64_t>(1, unacknowledged);
    m_delivered = 0;
    m_out = 0;
    Deliver(0, 0, pipe);
}

void
Recovery::TimeOut()
{
    m_isTimedOut = true;
    ++m_timeouts;
}

void
Recovery::Miss(const AcknowledgedTrain& train)
{
    if (!train.isRepair && train.lost > 0)
    {
        m_missing.Open(train.sentUntil, train.lost);
    }
}

void
Recovery::Acknowledge(const AcknowledgedTrain& train, std::int64_t pipe)
{
    m_timeouts = 0;
    m_acknowledgedUntil = std::max(m_acknowledgedUntil, train.sentUntil);
    const std::int64_t before = m_missing.FirstByte();
    if (train.isRepair)
    {
        m_missing.Fill(train.sentUntil, train.bytes);
    }
    if (m_isActive && m_acknowledgedUntil >= m_until && m_missing.FirstByte() >= m_until)
    {
        m_isActive = false;
    }
    // Acknowledgements that move on the first byte that is missing allow a segment more each (RFC
    // 9937, SafeACK).
    const bool isSafe = train.isRepair && m_missing.FirstByte() > before;
    const std::int64_t extra = isSafe ? train.acknowledgements * m_segment : 0;
    Deliver(train.bytes, extra, pipe);
}

/// Computes the window after `bytes` were delivered (RFC 6937, section 3).
void
Recovery::Deliver(std::int64_t bytes, std::int64_t extra, std::int64_t pipe)
{
    m_delivered += bytes;
    std::int64_t send = 0;
    if (pipe > m_threshold)
    {
        const std::int64_t share = (m_delivered * m_threshold + m_flight - 1) / m_flight;
        send = (share + m_segment - 1) / m_segment * m_segment - m_out; // Linux counts segments
    }
    else
    {
        send = std::min(m_threshold - pipe, std::max(m_delivered - m_out, bytes) + extra);
    }
    m_window = pipe + std::max(send, m_out > 0 ? 0 : m_segment); // at least one is sent again
}

void
Recovery::Reset()
{
    *this = Recovery(m_segment);
}

} // namespace geotrain
