// SPDX-License-Identifier: GPL-2.0-only
#include "path-learning/fifo-recursion.h"

#include <algorithm>
#include <utility>

namespace geotrain
{

FifoRecursion::FifoRecursion(std::vector<FifoPacket> packets, double windowSeconds)
    : m_packets(std::move(packets)),
      m_windowSeconds(windowSeconds),
      m_pieceEnds(m_packets.size()),
      m_stays(m_packets.size())
{
}

const std::vector<double>&
FifoRecursion::Forward(const FifoParameters& path, const double* shares, std::size_t windows)
{
    m_windows = windows;
    m_path = path;
    m_now = m_stay = 0;
    m_window = 0;
    m_pieces.clear();
    for (std::size_t i = 0; i < m_packets.size(); ++i)
    {
        const FifoPacket& packet = m_packets[i];
        Drift(packet.sent, shares);
        m_pieceEnds[i] = m_pieces.size();
        m_stays[i] = m_stay + packet.bytes / m_path.bytesPerSecond;
        if (packet.isAnchor)
        {
            m_stay = packet.delay - m_path.propagation;
        }
        else if (!packet.isLost)
        {
            m_stay = m_stays[i];
        }
    }
    return m_stays;
}

/// Follows the stay to a time, window by window.
void
FifoRecursion::Drift(double until, const double* shares)
{
    while (m_now < until)
    {
        const double border = m_windowSeconds * static_cast<double>(m_window + 1);
        if (m_now >= border && m_window + 1 < m_windows)
        {
            ++m_window;
            continue;
        }
        const double end = m_window + 1 < m_windows ? std::min(until, border) : until;
        Piece piece{m_window, end - m_now, Gate::Open};
        m_stay += (shares[m_window] - 1) * piece.seconds;
        if (m_stay <= 0)
        {
            m_stay = 0;
            piece.gate = Gate::Empty;
        }
        else if (m_stay > m_path.emptying)
        {
            m_stay = m_path.emptying;
            piece.gate = Gate::Full;
        }
        m_pieces.push_back(piece);
        m_now = end;
    }
}

FifoGradient
FifoRecursion::Backward(const double* stayGradients) const
{
    FifoGradient gradient;
    gradient.shares.resize(m_windows);
    const double rate = m_path.bytesPerSecond;
    double after = 0; // gradient to the stay after the present packet
    for (std::size_t i = m_packets.size(); i-- > 0;)
    {
        const FifoPacket& packet = m_packets[i];
        if (packet.isAnchor)
        {
            gradient.path.propagation -= after;
            after = 0;
        }
        else if (!packet.isLost)
        {
            gradient.path.bytesPerSecond -= after * packet.bytes / rate / rate;
        }
        gradient.path.bytesPerSecond -= stayGradients[i] * packet.bytes / rate / rate;
        after = BackThrough(i, stayGradients[i] + after, gradient);
    }
    return gradient;
}

/// Adds what a gradient to the stay before a packet is to what the buffer was given since the packet
/// before. Returns the gradient to the stay after that one.
double
FifoRecursion::BackThrough(std::size_t packet, double gradient, FifoGradient& sum) const
{
    const std::size_t first = packet > 0 ? m_pieceEnds[packet - 1] : 0;
    for (std::size_t p = m_pieceEnds[packet]; p-- > first;)
    {
        const Piece& piece = m_pieces[p];
        if (piece.gate == Gate::Open)
        {
            sum.shares[piece.window] += gradient * piece.seconds;
            continue;
        }
        sum.path.emptying += piece.gate == Gate::Full ? gradient : 0;
        gradient = 0;
    }
    return gradient;
}

const std::vector<FifoPacket>&
FifoRecursion::Packets() const
{
    return m_packets;
}

} // namespace geotrain
