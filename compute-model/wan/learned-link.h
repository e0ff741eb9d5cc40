// SPDX-License-Identifier: GPL-2.0-only
// Describes a link whose behaviour was learned from packet records: one FIFO buffer that the
// packets share with cross traffic that nobody recorded.
#pragma once

#include "units/bytes.h"
#include "units/duration.h"

#include <vector>

namespace geotrain
{

/// CrossTrafficSeries is the rate of others' traffic over time. After its end it begins again.
struct CrossTrafficSeries
{
    Duration bin;                      ///< time that a value holds; positive
    std::vector<double> bitsPerSecond; ///< each at least 0; none: there is no cross traffic

    /// Returns the mean over the series.
    double MeanBitsPerSecond() const
    {
        double sum = 0;
        for (const double value : bitsPerSecond)
        {
            sum += value;
        }
        return bitsPerSecond.empty() ? 0 : sum / static_cast<double>(bitsPerSecond.size());
    }
};

/// PathParameters describe one direction. Rate and buffer are positive.
struct PathParameters
{
    BitRate rate;         ///< rate at which the buffer empties
    Duration propagation; ///< delay beyond buffer and wire; at least 0
    Bytes buffer;         ///< greatest backlog, the packet itself included
    CrossTrafficSeries crossTraffic;
};

/// LearnedLink is both directions of a link.
struct LearnedLink
{
    PathParameters forward;
    PathParameters backward;
};

} // namespace geotrain
