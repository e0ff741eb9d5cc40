// SPDX-License-Identifier: GPL-2.0-only
// Measures the mean congestion window of one connection under random loss, and gives the formulas
// that it is compared with. They are for periodic loss and leave out recovery.
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

/// Returns the goodput of one connection over 200 Mbit/s, 40 ms and a buffer of a bandwidth-delay
/// product, from 5 to 25 s, as a share of the capacity. It is the mean of 3 seeds.
double GoodputUnderLoss(const std::string& control, double lossRate);

/// Returns Reno's window in segments, sqrt(3/(2bp)) (Mathis et al., CCR 27(3), 1997). b is 1 for a
/// control that counts the segments which delayed acknowledgements cover, and 2 for one that counts
/// acknowledgements.
inline double
RenoWindow(double lossRate, double b)
{
    return std::sqrt(3 / (2 * b * lossRate));
}

/// Returns H-TCP's window in segments where each loss leaves half of it: w(t) = w(0) + g(t) with
/// g = (t + 5 (t - 1)^2 + (t - 1)^3 / 12) / RTT, the integral of the draft's alpha (t without the
/// rest before 1 s). A period lasts until w(0) = g, and carries 1/p segments.
inline double
HtcpWindow(std::int64_t rttMs, double lossRate)
{
    const double rtt = static_cast<double>(rttMs) / 1000;
    double mean = 0;
    double carried = 0;
    for (double seconds = rtt; carried < 1 / lossRate; seconds *= 1.001)
    {
        const double late = std::max(0.0, seconds - 1);
        const double growth = (seconds + 5 * std::pow(late, 2) + std::pow(late, 3) / 12) / rtt;
        const double area =
            (std::pow(seconds, 2) / 2 + 5 * std::pow(late, 3) / 3 + std::pow(late, 4) / 48) / rtt;
        mean = growth + area / seconds;
        carried = mean * seconds / rtt;
    }
    return mean;
}

/// Returns the larger of CUBIC's window (RFC 9438, section 5.1, equation 6: C = 0.4) and Reno's.
inline double
CubicWindow(std::int64_t rttMs, double lossRate)
{
    const double rtt = static_cast<double>(rttMs) / 1000;
    return std::max(1.054 * std::pow(rtt / lossRate, 0.75), RenoWindow(lossRate, 1));
}

} // namespace ns3
