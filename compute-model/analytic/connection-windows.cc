#include "analytic/connection-windows.h"

#include <algorithm>
#include <cmath>

namespace geotrain
{

namespace
{

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
      m_roundTrip(settings.roundTrip)
{
    if (HasLimit())
    {
        const double initial = Bits(settings.initial);
        const double open = initial > 0 ? std::min(initial, m_limit) : m_limit;
        m_windows.assign(connections, {open, 0, {}});
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
        window.bits = std::min(m_limit, window.bits + part);
    }
}

double
ConnectionWindows::InWholeSegments(double bits) const
{
    return m_segment > 0 ? std::floor(bits / m_segment) * m_segment : bits;
}

ConnectionWindows::Window&
ConnectionWindows::At(const Range& range, std::uint32_t index)
{
    return m_windows[(range.first + index) % m_windows.size()];
}

void
ConnectionWindows::Acknowledge(Window& window, Instant now) const
{
    window.bits = std::min(m_limit, window.bits + window.sent);
    window.sent = 0;
    window.roundStart = now;
}

void
ConnectionWindows::Acknowledge(const Range& range, Instant now)
{
    for (std::uint32_t index = 0; index < range.count; ++index)
    {
        Acknowledge(At(range, index), now);
    }
}

ConnectionWindows::Allowance
ConnectionWindows::Allows(const Range& range, Instant now)
{
    Allowance allowance;
    allowance.isOpen = true;
    allowance.roundTripEnd = Instant::Never();
    for (std::uint32_t index = 0; index < range.count; ++index)
    {
        Window& window = At(range, index);
        if (window.sent == 0 || now >= window.roundStart + m_roundTrip)
        {
            Acknowledge(window, now);
        }
        allowance.now += InWholeSegments(window.bits - window.sent);
        allowance.ofRoundTrip += InWholeSegments(window.bits);
        allowance.isOpen = allowance.isOpen && window.bits >= m_limit;
        allowance.roundTripEnd = std::min(allowance.roundTripEnd, window.roundStart + m_roundTrip);
    }
    return allowance;
}

void
ConnectionWindows::Take(const Range& range, double bits, double allowed)
{
    for (std::uint32_t index = 0; index < range.count && allowed > 0; ++index)
    {
        Window& window = At(range, index);
        window.sent += InWholeSegments(window.bits - window.sent) * std::min(1.0, bits / allowed);
    }
}

} // namespace geotrain
