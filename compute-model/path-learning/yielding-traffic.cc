// SPDX-License-Identifier: GPL-2.0-only
#include "path-learning/yielding-traffic.h"

#include <algorithm>
#include <cmath>

namespace geotrain
{

namespace
{

constexpr double packetBytes = 1500;
constexpr double connectionShare = 1.0 / 3; // of the rate, that one takes; an estimate
constexpr double beginMargin = 0.3;         // of that, beyond those that go on; an estimate
constexpr double endMargin = 0.1;           // the same, below which one has ended; an estimate
constexpr double mostConnections = 16;      // at a time, whatever a model file holds
constexpr double leastWindow = 2;           // packets
constexpr double cubicScale = 0.4;          // C, packets/s^3: RFC 9438, section 5
constexpr double cubicDecrease = 0.7;       // beta: section 4.6
constexpr double renoIncrease = 3 * (1 - cubicDecrease) / (1 + cubicDecrease); // section 4.3

} // namespace

std::vector<CrossTransfer>
TransfersOf(const CrossTrafficSeries& series, BitRate rate)
{
    const double share = connectionShare * static_cast<double>(rate.ToBitsPerSecond());
    const double bytesPerBit = series.bin.ToSeconds() / 8;
    std::vector<CrossTransfer> transfers;
    std::size_t oldest = 0; // of those that go on
    for (std::size_t i = 0; i < series.bitsPerSecond.size(); ++i)
    {
        const double connections = std::min(series.bitsPerSecond[i] / share, mostConnections);
        const std::int64_t begin = static_cast<std::int64_t>(i) * series.bin.ToNanoseconds();
        while (connections > static_cast<double>(transfers.size() - oldest) + beginMargin)
        {
            transfers.push_back({begin, 0});
        }
        while (oldest < transfers.size() &&
               connections < static_cast<double>(transfers.size() - oldest) - 1 + endMargin)
        {
            ++oldest;
        }
        for (std::size_t k = oldest; k < transfers.size(); ++k)
        {
            transfers[k].bytes += series.bitsPerSecond[i] * bytesPerBit /
                                  static_cast<double>(transfers.size() - oldest);
        }
    }
    return transfers;
}

YieldingTraffic::YieldingTraffic(const CrossTrafficSeries& series, const PathParameters& path)
    : m_transfers(TransfersOf(series, path.rate)),
      m_period(static_cast<std::int64_t>(series.bitsPerSecond.size()) * series.bin.ToNanoseconds()),
      m_roundTrip(2 * static_cast<double>(path.propagation.ToNanoseconds()))
{
}

void
YieldingTraffic::Advance(std::int64_t until, FifoBuffer& buffer)
{
    Begin(until);
    const auto isEarlier = [](const Connection& a, const Connection& b) { return a.next < b.next; };
    while (!m_connections.empty())
    {
        const auto first = std::min_element(m_connections.begin(), m_connections.end(), isEarlier);
        if (first->next > static_cast<double>(until))
        {
            break;
        }
        Send(*first, buffer);
        if (first->bytesLeft <= 0)
        {
            m_connections.erase(first);
        }
    }
    buffer.Drift(until);
}

/// Begins the transfers up to a time.
void
YieldingTraffic::Begin(std::int64_t until)
{
    while (!m_transfers.empty())
    {
        const CrossTransfer& transfer = m_transfers[m_begun % m_transfers.size()];
        const auto round = static_cast<std::int64_t>(m_begun / m_transfers.size());
        const std::int64_t start = round * m_period + transfer.start;
        if (start > until)
        {
            return;
        }
        ++m_begun;
        m_connections.push_back({transfer.bytes, static_cast<double>(start)});
    }
}

/// Sends a packet of a connection, whose time it is.
void
YieldingTraffic::Send(Connection& connection, FifoBuffer& buffer)
{
    const double now = connection.next;
    buffer.Drift(static_cast<std::int64_t>(now));
    if (connection.lossHeard > 0 && now >= connection.lossHeard)
    {
        connection.windowBefore = connection.window;
        connection.window = std::max(leastWindow, cubicDecrease * connection.window);
        connection.epoch = now;
        connection.lossHeard = 0;
    }
    const double roundTrip = m_roundTrip + buffer.StayOf(packetBytes);
    if (buffer.Offer(packetBytes))
    {
        connection.bytesLeft -= packetBytes;
        Grow(connection, roundTrip);
    }
    else if (connection.lossHeard == 0)
    {
        connection.lossHeard = now + roundTrip;
    }
    connection.next = now + roundTrip / connection.window;
}

/// Makes the window larger by what a packet brings that arrives.
void
YieldingTraffic::Grow(Connection& connection, double roundTrip)
{
    const double before = connection.windowBefore;
    if (before == 0)
    {
        connection.window += std::log(2.0); // slow start doubles it in a round trip
        return;
    }
    const double seconds = (connection.next - connection.epoch) * 1e-9;
    const double plateau = std::cbrt(before * (1 - cubicDecrease) / cubicScale); // K, in s
    const double cubic = cubicScale * std::pow(seconds - plateau, 3) + before;
    const double reno = cubicDecrease * before + renoIncrease * seconds * 1e9 / roundTrip;
    connection.window = std::max({leastWindow, cubic, reno});
}

} // namespace geotrain
