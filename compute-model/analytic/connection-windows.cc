#include "analytic/connection-windows.h"

#include <algorithm>
#include <cmath>

namespace geotrain
{

namespace
{

// ns-3's Cubic, attributes HyStartLowWindow, HyStartAckDelta and CntClamp.
constexpr double hyStartLowWindow = 16; // segments
constexpr Duration acknowledgementGap = Duration::Milliseconds(2);
constexpr double acknowledgedForASegment = 20;

double
Bits(Bytes size)
{
    return 8.0 * static_cast<double>(size.Count());
}

} // namespace

ConnectionWindows::ConnectionWindows(std::uint32_t connections, const Settings& settings)
    : m_limit(settings.roundTrip > Duration() && settings.limit > Bytes()
                  ? Bits(std::max(settings.limit, settings.segment))
                  : 0),
      m_segment(Bits(settings.segment)),
      m_bitsPerNanosecond(settings.bitsPerNanosecond),
      m_roundTrip(settings.roundTrip)
{
    if (HasLimit())
    {
        const double initial = Bits(settings.initial);
        Window window;
        window.bits = initial > 0 ? std::min(std::max(initial, m_segment), m_limit) : m_limit;
        m_windows.assign(connections, window);
    }
}

bool
ConnectionWindows::HasLimit() const
{
    return m_limit > 0;
}

void
ConnectionWindows::Warm(Bytes size)
{
    const double part =
        Bits(size) / static_cast<double>(std::max<std::size_t>(1, m_windows.size()));
    for (Window& window : m_windows)
    {
        double left = part;
        Instant start;
        while (left > 0 && window.bits < m_limit)
        {
            window.sent = std::min(left, window.bits);
            window.roundStart = start;
            left -= window.sent;
            start = start + std::max(m_roundTrip, TrainOf(window.sent));
            Acknowledge(window, start);
        }
        window.hasTrain = false;
    }
}

double
ConnectionWindows::InWholeSegments(double bits) const
{
    return m_segment > 0 ? std::floor(bits / m_segment) * m_segment : bits;
}

Duration
ConnectionWindows::TrainOf(double bits) const
{
    return Duration::Nanoseconds(m_bitsPerNanosecond > 0 ? std::llround(bits / m_bitsPerNanosecond)
                                                         : 0);
}

/// Slow start ends where the acknowledgements of two round trips follow each other without a gap, and where those of one
/// take longer than a round trip: what came until then was added.
double
ConnectionWindows::Growth(Window& window) const
{
    const bool isLarge = window.bits + window.sent >= hyStartLowWindow * m_segment;
    if (window.inSlowStart && m_segment > 0 && isLarge)
    {
        const bool follows =
            window.hasTrain && window.roundStart - window.trainEnd <= acknowledgementGap;
        const bool isLong = TrainOf(window.sent) > m_roundTrip;
        if (follows && window.bits >= hyStartLowWindow * m_segment)
        {
            window.inSlowStart = false;
        }
        else if (isLong)
        {
            window.inSlowStart = false;
            const double quick =
                m_bitsPerNanosecond * static_cast<double>(m_roundTrip.ToNanoseconds());
            return quick + (window.sent - quick) / acknowledgedForASegment;
        }
    }
    return window.inSlowStart ? window.sent : window.sent / acknowledgedForASegment;
}

void
ConnectionWindows::Acknowledge(Window& window, Instant now) const
{
    if (window.sent > 0 && window.bits < m_limit)
    {
        const double growth = Growth(window);
        window.trainEnd = window.roundStart + TrainOf(window.sent);
        window.hasTrain = true;
        window.bits = std::min(m_limit, window.bits + growth);
    }
    window.sent = 0;
    window.roundStart = now;
}

void
ConnectionWindows::AcknowledgeOld(Window& window, Instant now) const
{
    if (window.sent == 0 || now >= window.roundStart + m_roundTrip)
    {
        Acknowledge(window, now);
    }
}

ConnectionWindows::Allowance
ConnectionWindows::Allows(const Message& message, Instant now)
{
    Allowance allowance;
    allowance.isOpen = true;
    allowance.roundTripEnd = Instant::Never();
    for (const Message::Part& part : message.parts)
    {
        Window& window = m_windows[part.connection];
        AcknowledgeOld(window, now);
        allowance.now += InWholeSegments(window.bits - window.sent);
        allowance.ofRoundTrip += InWholeSegments(window.bits);
        allowance.isOpen = allowance.isOpen && window.bits >= m_limit;
        allowance.roundTripEnd = std::min(allowance.roundTripEnd, window.roundStart + m_roundTrip);
    }
    return allowance;
}

void
ConnectionWindows::Take(const Message& message, double bits, double allowed)
{
    for (const Message::Part& part : message.parts)
    {
        Window& window = m_windows[part.connection];
        window.sent += InWholeSegments(window.bits - window.sent) * std::min(1.0, bits / allowed);
    }
}

/// What the part's connection may send of its chunk, or of the next. Whether the chunk has gone and there is a window left.
bool
ConnectionWindows::SendOfChunk(Message& message, Message::Part& part)
{
    Window& window = m_windows[part.connection];
    const double allowed = InWholeSegments(window.bits - window.sent);
    if (allowed > 0 && part.bitsLeft <= 0 && message.chunksLeft > 0)
    {
        --message.chunksLeft;
        part.bitsLeft = message.bitsOfChunk;
    }
    const double bits = std::min(allowed, part.bitsLeft);
    window.sent += bits;
    part.bitsLeft -= bits;
    return bits > 0 && part.bitsLeft <= 0;
}

ConnectionWindows::Allowance
ConnectionWindows::TakeChunks(Message& message, Instant now)
{
    Allowance allowance;
    const auto sentOf = [&](const Message::Part& part) { return m_windows[part.connection].sent; };
    double before = 0;
    for (const Message::Part& part : message.parts)
    {
        AcknowledgeOld(m_windows[part.connection], now);
        before += sentOf(part);
    }
    bool again = true;
    while (again)
    {
        again = false;
        for (Message::Part& part : message.parts)
        {
            bool sends = SendOfChunk(message, part);
            while (sends && message.hasBegun)
            {
                sends = SendOfChunk(message, part);
            }
            again = again || sends;
        }
    }
    message.hasBegun = true;
    allowance.roundTripEnd = Instant::Never();
    for (const Message::Part& part : message.parts)
    {
        allowance.now += sentOf(part);
        if (part.bitsLeft > 0 || message.chunksLeft > 0)
        {
            allowance.roundTripEnd = std::min(allowance.roundTripEnd,
                                              m_windows[part.connection].roundStart + m_roundTrip);
        }
    }
    allowance.now -= before;
    return allowance;
}

void
ConnectionWindows::Queue(const Message& message,
                         Instant now,
                         Duration wait,
                         double bitsPerNanosecond)
{
    m_bitsPerNanosecond = bitsPerNanosecond;
    for (const Message::Part& part : message.parts)
    {
        Window& window = m_windows[part.connection];
        if (window.roundStart == now && window.sent > 0)
        {
            window.roundStart = now + wait;
        }
    }
}

} // namespace geotrain
