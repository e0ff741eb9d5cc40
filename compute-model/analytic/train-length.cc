// SPDX-License-Identifier: GPL-2.0-only
// Estimates what is short enough to decide nothing. README.md has the error against packets.
#include "analytic/train-length.h"

#include <algorithm>
#include <cmath>

namespace geotrain
{

namespace
{

constexpr std::int64_t segmentsOfAcknowledgement = 2; // RFC 5681, section 4.2
constexpr double unpacedTrainsOfWindow = 8;           // least trains per window
constexpr double pacedTrainsOfWindow = 16;            // least trains per window
constexpr double burstsOfRoundTrip = 40;              // trains per round trip of wide windows
constexpr double wideWindow = 8e6; // bytes: hundreds of segments, so that none of them decides

} // namespace

TrainLength::TrainLength(const CongestionWindow::Settings& settings, double coarseness)
    : m_segment(static_cast<double>(std::max<std::int64_t>(1, settings.segment))),
      m_limit(std::max(static_cast<double>(settings.limit), m_segment)),
      m_unpaced(
          std::max({std::int64_t{1},
                    segmentsOfAcknowledgement * settings.segment,
                    static_cast<std::int64_t>(static_cast<double>(settings.limit) *
                                              std::min(1.0, coarseness) / unpacedTrainsOfWindow)})),
      m_coarseness(coarseness)
{
}

std::int64_t
TrainLength::Most(const CongestionWindow& window, Duration backlog) const
{
    const auto pacing = window.GetPacing();
    return pacing ? OfBursts(*pacing, backlog) : m_unpaced;
}

std::int64_t
TrainLength::OfBursts(const Pacing& pacing, Duration backlog) const
{
    const double window = std::min(pacing.window, m_limit);
    const double share =
        std::max<double>(segmentsOfAcknowledgement,
                         std::floor(window / m_segment * m_coarseness / pacedTrainsOfWindow));
    if (pacing.rate == 0)
    {
        // The first segment is acknowledged at once.
        return static_cast<std::int64_t>(pacing.hasSent ? share * m_segment : m_segment);
    }
    const bool isWide = pacing.window >= m_limit || pacing.window >= wideWindow || m_coarseness > 1;
    const double flight = std::min(pacing.rate * pacing.roundTrip, m_limit);
    const double large = isWide ? flight * m_coarseness / burstsOfRoundTrip : 0;
    const double waiting = pacing.rate * static_cast<double>(backlog.ToNanoseconds());
    const double bytes = std::max({pacing.leftOfBurst, large, waiting});
    return static_cast<std::int64_t>(std::clamp(std::ceil(bytes / m_segment), 1.0, share) *
                                     m_segment);
}

} // namespace geotrain
