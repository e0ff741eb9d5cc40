// SPDX-License-Identifier: GPL-2.0-only
// Estimates what is short enough to decide nothing. README.md has the error against packets.
#include "analytic/train-length.h"

#include <algorithm>
#include <cmath>

namespace geotrain
{

namespace
{

constexpr double segmentsOfAcknowledgement = 2; // RFC 5681, section 4.2
constexpr double trainsOfWindow = 16;           // least trains per window
constexpr double burstsOfRoundTrip = 40;        // trains per round trip of wide windows
constexpr double wideWindow = 8e6; // bytes: hundreds of segments, so that none of them decides

} // namespace

std::int64_t
LongestTrain(const Pacing& pacing, Duration backlog, double coarseness)
{
    const double window = std::min(pacing.window, pacing.limit);
    const double share =
        std::max(segmentsOfAcknowledgement,
                 std::floor(window / pacing.segment * coarseness / trainsOfWindow));
    if (pacing.rate == 0)
    {
        // The first segment is acknowledged at once.
        return static_cast<std::int64_t>(pacing.hasSent ? share * pacing.segment : pacing.segment);
    }
    const bool isWide =
        pacing.window >= pacing.limit || pacing.window >= wideWindow || coarseness > 1;
    const double flight = std::min(pacing.rate * pacing.roundTrip, pacing.limit);
    const double large = isWide ? flight * coarseness / burstsOfRoundTrip : 0;
    const double waiting = pacing.rate * static_cast<double>(backlog.ToNanoseconds());
    const double bytes = std::max({pacing.leftOfBurst, large, waiting});
    return static_cast<std::int64_t>(std::clamp(std::ceil(bytes / pacing.segment), 1.0, share) *
                                     pacing.segment);
}

} // namespace geotrain
