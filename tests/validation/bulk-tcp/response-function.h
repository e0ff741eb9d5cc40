// SPDX-License-Identifier: GPL-2.0-only
// Measures the mean congestion window of one connection under random loss, and gives the formulas
// that it is compared with. They leave out recovery, and but for H-TCP's are for periodic loss.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

namespace ns3
{

/// Returns the mean window in segments of 1,448 bytes, after the first 50 losses, over 300 losses
/// and 5 seeds. `lossRate` is the share of packets that are lost, each independently of the others.
double MeanWindowUnderLoss(const std::string& control, std::int64_t rttMs, double lossRate);

/// As MeanWindowUnderLoss(), where packets are marked instead, over 2,000 marks and 3 seeds after as
/// many marks. The control must answer marks.
double MeanWindowUnderMarks(const std::string& control, std::int64_t rttMs, double markRate);

/// Returns the goodput of one connection over 100 Mbit/s, 40 ms and a buffer of a bandwidth-delay
/// product, from 3 to 13 s, as a share of the capacity. It is the mean of 3 seeds.
double GoodputUnderLoss(const std::string& control, double lossRate);

/// Returns Reno's window in segments, sqrt(3/(2bp)) (Mathis et al., CCR 27(3), 1997). b is 1 for a
/// control that counts the segments which delayed acknowledgements cover, and 2 for one that counts
/// acknowledgements.
inline double
RenoWindow(double lossRate, double b)
{
    return std::sqrt(3 / (2 * b * lossRate));
}

/// Returns the mean of H-TCP's window in segments where a loss leaves half of it and losses are
/// independent: a model by round trips, without packets and recovery, over 400,000 of them. The
/// window grows by the draft's alpha per round trip.
double HtcpWindow(std::int64_t rttMs, double lossRate);

/// Returns the mean of DCTCP's window in segments where packets are marked independently of each
/// other: a model by acknowledged segments, without packets and timers, over 4 million of them. The
/// window grows by a segment per round trip (RFC 5681). A mark takes alpha / 2 of it (RFC 8257, 3.3,
/// 9), over one round trip in which it does not grow (RFC 3168, 6.1.2; RFC 6937). Alpha is the
/// average of the marked share per window with g = 1/16 (RFC 8257, 3.3 and 4.2). Without the pause
/// of the growth a window of 2/p would lose as much as it gains (DCTCP, SIGCOMM'10: 1 = W p/2 per round
/// trip); with it a cycle gains 1/(p W) before the next mark, which gives sqrt(2)/p.
double DctcpWindow(double markRate);

/// Returns the larger of CUBIC's window (RFC 9438, section 5.1, equation 6: C = 0.4) and Reno's.
inline double
CubicWindow(std::int64_t rttMs, double lossRate)
{
    const double rtt = static_cast<double>(rttMs) / 1000;
    return std::max(1.054 * std::pow(rtt / lossRate, 0.75), RenoWindow(lossRate, 1));
}

} // namespace ns3
