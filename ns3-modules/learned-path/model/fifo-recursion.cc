// SPDX-License-Identifier: GPL-2.0-only
#include "learned-path/model/fifo-recursion.h"

#include <algorithm>
#include <utility>

namespace geotrain
{

FifoRecursion::FifoRecursion(std::vector<FifoPacket> packets, double windowSeconds)
    : m_packets(std::move(packets)),
      m_windowSeconds(windowSeconds),
      m_stays(m_packets.size()),
      m_pieceEnds(m_packets.size())
{
}

const std::vector<double>&
FifoRecursion::Forward(const FifoParameters& parameters, const double* shares, std::size_t windows)
{
    m_parameters = parameters;
    m_windows = windows;
    m_now = 0;
    m_window = 0;
    m_stay = 0;
    m_pieces.clear();
    for (std::size_t i = 0; i < m_packets.size(); ++i)
    {
        const FifoPacket& packet = m_packets[i];
        Drift(packet.sent, shares);
        m_pieceEnds[i] = m_pieces.size();
        m_stays[i] = m_stay + packet.bytes / parameters.bytesPerSecond;
        if (packet.isAnchor)
        {
            m_stay = packet.delay - parameters.propagation;
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
        else if (m_stay > m_parameters.emptying)
        {
            m_stay = m_parameters.emptying;
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
    double after = 0; // gradient to the stay after the present packet
    for (std::size_t i = m_packets.size(); i-- > 0;)
    {
        const FifoPacket& packet = m_packets[i];
        double before = stayGradients[i];
        if (packet.isAnchor)
        {
            gradient.parameters.propagation -= after;
        }
        else if (!packet.isLost)
        {
            before += after;
        }
        gradient.parameters.bytesPerSecond -=
            before * packet.bytes / m_parameters.bytesPerSecond / m_parameters.bytesPerSecond;
        if (packet.isLost)
        {
            before += after;
        }
        const std::size_t first = i > 0 ? m_pieceEnds[i - 1] : 0;
        for (std::size_t p = m_pieceEnds[i]; p-- > first;)
        {
            const Piece& piece = m_pieces[p];
            if (piece.gate == Gate::Open)
            {
                gradient.shares[piece.window] += before * piece.seconds;
                continue;
            }
            gradient.parameters.emptying += piece.gate == Gate::Full ? before : 0;
            before = 0;
        }
        after = before;
    }
    return gradient;
}

const std::vector<FifoPacket>&
FifoRecursion::Packets() const
{
    return m_packets;
}

} // namespace geotrain
