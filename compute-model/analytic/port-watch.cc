// SPDX-License-Identifier: GPL-2.0-only
#include "analytic/port-watch.h"

#include <algorithm>
#include <limits>

namespace geotrain
{

namespace
{

constexpr double leastBytes = 1e-3; // bytes that rounding may leave

} // namespace

PortWatch::PortWatch(double rate, double room)
    : m_rate(rate),
      m_room(room)
{
}

std::size_t
PortWatch::AddSender(double rate, double window)
{
    Sender sender;
    sender.rate = rate;
    sender.window = window;
    const std::size_t number = m_senders.size();
    m_senders.push_back(sender);
    const auto larger = [this, window](std::size_t other)
    { return m_senders[other].window > window; };
    m_byWindow.insert(std::find_if(m_byWindow.begin(), m_byWindow.end(), larger), number);
    return number;
}

void
PortWatch::Note(Instant now, std::size_t sender, double bytes)
{
    Pass(static_cast<double>((now - m_now).ToNanoseconds()));
    m_now = now;
    m_senders[sender].waiting += bytes - m_senders[sender].sent;
    m_senders[sender].sent = bytes;
}

/// Returns the most that waits while the senders that have something bring `comes` bytes per nanosecond.
/// Whichever of them are held by their windows, the smallest ones are first.
double
PortWatch::MostOf(double comes) const
{
    double held = 0; // bytes
    double others = comes;
    double most = std::numeric_limits<double>::infinity();
    for (const std::size_t index : m_byWindow)
    {
        const Sender& sender = m_senders[index];
        if (sender.waiting > leastBytes)
        {
            held += sender.window;
            others -= sender.rate;
            most = others < m_rate ? std::min(most, held / (1 - others / m_rate)) : most;
        }
    }
    return most;
}

/// Lets time pass, in steps in which no sender ends.
void
PortWatch::Pass(double nanoseconds)
{
    while (nanoseconds > 0)
    {
        double comes = 0;
        double step = nanoseconds;
        for (const Sender& sender : m_senders)
        {
            if (sender.waiting > leastBytes)
            {
                comes += sender.rate;
                step = std::min(step, sender.waiting / sender.rate);
            }
        }
        if (comes == 0)
        {
            m_waiting = std::max(0.0, m_waiting - m_rate * nanoseconds);
            return;
        }
        const double most = std::max(m_waiting, MostOf(comes));
        m_waiting = std::clamp(m_waiting + (comes - m_rate) * step, 0.0, most);
        m_mostBeyond = std::max(m_mostBeyond, m_waiting - m_room);
        for (Sender& sender : m_senders)
        {
            sender.waiting = std::max(0.0, sender.waiting - sender.rate * step);
        }
        nanoseconds -= step;
    }
}

} // namespace geotrain
