// SPDX-License-Identifier: GPL-2.0-only
#include "path-learning/fifo-recursion.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace geotrain
{

FifoRecursion::FifoRecursion(std::vector<FifoPacket> packets,
                             double windowSeconds,
                             std::size_t lanes,
                             double choiceScale)
    : m_packets(std::move(packets)),
      m_windowSeconds(windowSeconds),
      m_choiceScale(choiceScale),
      m_lanes(lanes),
      m_stays(m_packets.size() * lanes),
      m_weights(m_stays.size(), 1)
{
    for (Lane& lane : m_lanes)
    {
        lane.pieceEnds.resize(m_packets.size());
    }
}

const std::vector<double>&
FifoRecursion::Forward(const std::vector<FifoParameters>& lanes,
                       const double* shares,
                       const double* logits,
                       std::size_t windows)
{
    m_windows = windows;
    for (std::size_t k = 0; k < m_lanes.size(); ++k)
    {
        Lane& lane = m_lanes[k];
        lane.parameters = lanes[k];
        lane.now = lane.stay = 0;
        lane.window = 0;
        lane.pieces.clear();
    }
    for (std::size_t i = 0; i < m_packets.size(); ++i)
    {
        const FifoPacket& packet = m_packets[i];
        for (std::size_t k = 0; k < m_lanes.size(); ++k)
        {
            Lane& lane = m_lanes[k];
            Drift(k, packet.sent, shares);
            lane.pieceEnds[i] = lane.pieces.size();
            m_stays[i * m_lanes.size() + k] =
                lane.stay + packet.bytes / lane.parameters.bytesPerSecond;
        }
        if (packet.isAnchor)
        {
            Lane& lane = m_lanes[packet.lane];
            lane.stay = packet.delay - lane.parameters.propagation;
        }
        else if (!packet.isLost)
        {
            Weigh(i, logits);
            for (std::size_t k = 0; k < m_lanes.size(); ++k)
            {
                m_lanes[k].stay += m_weights[i * m_lanes.size() + k] * packet.bytes /
                                   m_lanes[k].parameters.bytesPerSecond;
            }
        }
    }
    return m_stays;
}

/// Follows a lane's stay to a time, window by window.
void
FifoRecursion::Drift(std::size_t number, double until, const double* shares)
{
    Lane& lane = m_lanes[number];
    while (lane.now < until)
    {
        const double border = m_windowSeconds * static_cast<double>(lane.window + 1);
        if (lane.now >= border && lane.window + 1 < m_windows)
        {
            ++lane.window;
            continue;
        }
        const double end = lane.window + 1 < m_windows ? std::min(until, border) : until;
        Piece piece{lane.window, end - lane.now, Gate::Open};
        lane.stay += (shares[lane.window * m_lanes.size() + number] - 1) * piece.seconds;
        if (lane.stay <= 0)
        {
            lane.stay = 0;
            piece.gate = Gate::Empty;
        }
        else if (lane.stay > lane.parameters.emptying)
        {
            lane.stay = lane.parameters.emptying;
            piece.gate = Gate::Full;
        }
        lane.pieces.push_back(piece);
        lane.now = end;
    }
}

/// Returns how much later a lane says that a packet arrives than it did.
double
FifoRecursion::ErrorOf(std::size_t packet, std::size_t lane) const
{
    return m_lanes[lane].parameters.propagation + m_stays[packet * m_lanes.size() + lane] -
           m_packets[packet].delay;
}

/// Computes the shares of a packet that the lanes get.
void
FifoRecursion::Weigh(std::size_t packet, const double* logits)
{
    const std::size_t lanes = m_lanes.size();
    if (lanes == 1)
    {
        return;
    }
    double* weights = &m_weights[packet * lanes];
    for (std::size_t k = 0; k < lanes; ++k)
    {
        weights[k] = logits[m_packets[packet].window * lanes + k] -
                     std::abs(ErrorOf(packet, k)) / m_choiceScale;
    }
    const double greatest = *std::max_element(weights, weights + lanes);
    double sum = 0;
    for (std::size_t k = 0; k < lanes; ++k)
    {
        weights[k] = std::exp(weights[k] - greatest);
        sum += weights[k];
    }
    for (std::size_t k = 0; k < lanes; ++k)
    {
        weights[k] /= sum;
    }
}

FifoGradient
FifoRecursion::Backward(const double* stayGradients) const
{
    const std::size_t lanes = m_lanes.size();
    FifoGradient gradient;
    gradient.lanes.resize(lanes);
    gradient.shares.resize(m_windows * lanes);
    gradient.logits.resize(lanes > 1 ? m_windows * lanes : 0);
    std::vector<double> after(lanes); // gradients to the stays after the present packet
    std::vector<double> ofStays(lanes);
    for (std::size_t i = m_packets.size(); i-- > 0;)
    {
        const FifoPacket& packet = m_packets[i];
        std::copy(stayGradients + i * lanes, stayGradients + (i + 1) * lanes, ofStays.begin());
        if (packet.isAnchor)
        {
            gradient.lanes[packet.lane].propagation -= after[packet.lane];
            after[packet.lane] = 0;
        }
        else if (!packet.isLost)
        {
            BackThroughChoice(i, after, ofStays, gradient);
        }
        for (std::size_t k = 0; k < lanes; ++k)
        {
            const double rate = m_lanes[k].parameters.bytesPerSecond;
            gradient.lanes[k].bytesPerSecond -= ofStays[k] * packet.bytes / rate / rate;
            after[k] = BackThrough(i, k, ofStays[k] + after[k], gradient);
        }
    }
    return gradient;
}

/// Adds what depends on the shares of a packet that the lanes got.
void
FifoRecursion::BackThroughChoice(std::size_t packet,
                                 const std::vector<double>& after,
                                 std::vector<double>& ofStays,
                                 FifoGradient& sum) const
{
    const std::size_t lanes = m_lanes.size();
    const double* weights = &m_weights[packet * lanes];
    const double bytes = m_packets[packet].bytes;
    double mean = 0; // of the gradients to the weights
    for (std::size_t k = 0; k < lanes; ++k)
    {
        const double rate = m_lanes[k].parameters.bytesPerSecond;
        sum.lanes[k].bytesPerSecond -= after[k] * weights[k] * bytes / rate / rate;
        mean += weights[k] * after[k] * bytes / rate;
    }
    for (std::size_t k = 0; k < lanes && lanes > 1; ++k)
    {
        const double ofWeight = after[k] * bytes / m_lanes[k].parameters.bytesPerSecond;
        const double ofLogit = weights[k] * (ofWeight - mean);
        const double ofError =
            -std::copysign(ofLogit / m_choiceScale, ErrorOf(packet, k) * ofLogit);
        sum.logits[m_packets[packet].window * lanes + k] += ofLogit;
        sum.lanes[k].propagation += ofError;
        ofStays[k] += ofError;
    }
}

/// Adds what a gradient to the stay before a packet is to what the lane was given since the packet
/// before. Returns the gradient to the stay after that one.
double
FifoRecursion::BackThrough(std::size_t packet,
                           std::size_t number,
                           double gradient,
                           FifoGradient& sum) const
{
    const Lane& lane = m_lanes[number];
    const std::size_t first = packet > 0 ? lane.pieceEnds[packet - 1] : 0;
    for (std::size_t p = lane.pieceEnds[packet]; p-- > first;)
    {
        const Piece& piece = lane.pieces[p];
        if (piece.gate == Gate::Open)
        {
            sum.shares[piece.window * m_lanes.size() + number] += gradient * piece.seconds;
            continue;
        }
        sum.lanes[number].emptying += piece.gate == Gate::Full ? gradient : 0;
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
