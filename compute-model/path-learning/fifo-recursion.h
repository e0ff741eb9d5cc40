// SPDX-License-Identifier: GPL-2.0-only
// The recurrence of RBU's buffer over recorded packets with its gradient, as the training needs them.
// Time is the unit: y = q / b is how long a packet stays, x = c / b the share of the rate that cross
// traffic takes, and Y = Q / b the time in which the buffer empties. In a window x is constant:
//
//     y_i = min(Y, max(0, y_(i-1) + (x - 1) (t_i - t_(i-1)))) + s_i / b
//
// Which packets were lost is known from the record: they take no room. Where the gradient meets max or
// min, these are gates: nothing passes where the buffer ran empty or full. An anchor is a packet after
// which the state is the recorded one, d_i - propagation, so that errors don't add up for ever.
#pragma once

#include <cstddef>
#include <vector>

namespace geotrain
{

/// FifoPacket is one packet. Times are in seconds from the beginning of the first window.
struct FifoPacket
{
    double sent = 0;
    double bytes = 0;
    double delay = 0; ///< recorded; undefined for a lost packet
    bool isLost = false;
    bool isAnchor = false; ///< not of a lost packet
};

/// FifoParameters are those of the buffer.
struct FifoParameters
{
    double bytesPerSecond = 0;
    double propagation = 0; ///< s
    double emptying = 0;    ///< s, Y
};

/// FifoGradient is the gradient of a loss to what the recurrence was given.
struct FifoGradient
{
    FifoParameters path;
    std::vector<double> shares; ///< as they were given
};

/// FifoRecursion runs over one sequence of packets forth and back.
class FifoRecursion
{
  public:
    FifoRecursion(std::vector<FifoPacket> packets, double windowSeconds);

    /// Returns by packet how long it stays, or would have. `shares` are x by window; a packet after
    /// the last window sees the last one's.
    const std::vector<double>&
    Forward(const FifoParameters& path, const double* shares, std::size_t windows);

    /// Returns the gradient of a loss whose gradient to the stays of the last Forward() is given.
    FifoGradient Backward(const double* stayGradients) const;

    const std::vector<FifoPacket>& Packets() const;

  private:
    enum class Gate : char
    {
        Open,
        Empty,
        Full
    };

    /// A Piece is an interval within one window.
    struct Piece
    {
        std::size_t window;
        double seconds;
        Gate gate;
    };

    void Drift(double until, const double* shares);
    double BackThrough(std::size_t packet, double gradient, FifoGradient& sum) const;

    std::vector<FifoPacket> m_packets;
    double m_windowSeconds;
    std::size_t m_windows = 0;
    FifoParameters m_path;
    double m_now = 0;
    std::size_t m_window = 0;
    double m_stay = 0;
    std::vector<Piece> m_pieces;          ///< how the buffer came to its state
    std::vector<std::size_t> m_pieceEnds; ///< by packet: pieces up to it
    std::vector<double> m_stays;          ///< by packet
};

} // namespace geotrain
