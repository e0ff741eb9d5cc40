// SPDX-License-Identifier: GPL-2.0-only
// The recurrence of RBU's buffer over recorded packets with its gradient, as the training needs them.
// Time is the unit: y = q / b is how long a packet stays, x = c / b the share of the rate that cross
// traffic takes, and Y = Q / b the time in which the buffer empties. In a window x is constant:
//
//     y_i = min(Y, max(0, y_(i-1) + (x - 1) (t_i - t_(i-1)))) + w_i s_i / b
//
// Which packets were lost is known from the record: they take no room. Where the gradient meets max or
// min, these are gates: nothing passes where the buffer ran empty or full. An anchor is a packet after
// which the state is the recorded one, d_i - propagation, so that errors don't add up for ever.
//
// A path may be several such buffers side by side, its lanes. Which of them a packet took is not in the
// record, so that the choice is relaxed: each lane gets the share w_i of it, a softmax over the lanes of
// z - |propagation + y_i - d_i| / scale, with z the window's logits. With one lane w is 1.
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
    bool isAnchor = false;  ///< not of a lost packet
    std::size_t lane = 0;   ///< of an anchor, which is whole in its lane
    std::size_t window = 0; ///< whose logits say the choice; of no meaning with one lane
};

/// FifoParameters are those of a lane.
struct FifoParameters
{
    double bytesPerSecond = 0;
    double propagation = 0; ///< s
    double emptying = 0;    ///< s, Y
};

/// FifoGradient is the gradient of a loss to what the recurrence was given.
struct FifoGradient
{
    std::vector<FifoParameters> lanes;
    std::vector<double> shares; ///< as they were given
    std::vector<double> logits; ///< as they were given; empty with one lane
};

/// FifoRecursion runs over one sequence of packets forth and back.
class FifoRecursion
{
  public:
    /// `choiceScale` is in seconds, and of no meaning with one lane.
    FifoRecursion(std::vector<FifoPacket> packets,
                  double windowSeconds,
                  std::size_t lanes = 1,
                  double choiceScale = 1);

    /// Returns by packet and lane how long the packet stays there, or would have. `shares` are x by
    /// window and lane; a packet after the last window sees the last one's. `logits` are z by window
    /// and lane, null with one lane.
    const std::vector<double>& Forward(const std::vector<FifoParameters>& lanes,
                                       const double* shares,
                                       const double* logits,
                                       std::size_t windows);

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

    /// A Lane is one buffer and how it came to its state.
    struct Lane
    {
        FifoParameters parameters;
        double now = 0;
        std::size_t window = 0;
        double stay = 0;
        std::vector<Piece> pieces;
        std::vector<std::size_t> pieceEnds; ///< by packet: pieces up to it
    };

    void Drift(std::size_t number, double until, const double* shares);
    void Weigh(std::size_t packet, const double* logits);
    double ErrorOf(std::size_t packet, std::size_t lane) const;
    double
    BackThrough(std::size_t packet, std::size_t number, double gradient, FifoGradient& sum) const;
    void BackThroughChoice(std::size_t packet,
                           const std::vector<double>& after,
                           std::vector<double>& ofStays,
                           FifoGradient& sum) const;

    std::vector<FifoPacket> m_packets;
    double m_windowSeconds;
    double m_choiceScale;
    std::size_t m_windows = 0;
    std::vector<Lane> m_lanes;
    std::vector<double> m_stays;   ///< by packet and lane
    std::vector<double> m_weights; ///< w, by packet and lane
};

} // namespace geotrain
