// SPDX-License-Identifier: GPL-2.0-only
// Holds the free part of one worker's bubbles: gaps in order of time, from which reservations are
// taken.
#pragma once

#include "filling/bubble.h"

#include <vector>

namespace geotrain
{

/// A UsableSpan is the part of a bubble that may be used, and which bubble it is.
struct UsableSpan
{
    Instant start;
    Instant end;
    std::uint32_t iterationsAhead = 0;
    std::uint32_t endsWith = 0;
};

/// A FillPart is a run of units (layers) in one gap.
struct FillPart
{
    Instant start;
    /// End of the usable bubble, before which work that starts late must end all the same.
    Instant limit;
    std::uint32_t units = 0;
};

/// UnitWork is a number of equal, indivisible pieces of work that run one after another where there
/// is room.
struct UnitWork
{
    std::uint32_t units = 0;
    Duration unit; ///< positive
};

/// FreeTime is the calendar of one worker.
class FreeTime
{
  public:
    /// Replaces all gaps by the spans. Gaps shorter than `shortest` are of no use to anyone.
    void Set(const std::vector<UsableSpan>& spans, Duration shortest);

    /// Returns when `work`, begun at `ready` or later, ends if it takes every gap as far as whole
    /// units fit; no other way ends earlier. Returns Instant::Never() where the gaps are too few,
    /// or it would end after `latest`. The parts are appended to `parts`, unless that is null.
    Instant
    Fit(Instant ready, const UnitWork& work, Instant latest, std::vector<FillPart>* parts) const;

    /// Takes [start, end), which must lie in one gap.
    void Take(Instant start, Instant end);

    /// Gives back [start, end), which was taken. Nothing happens if its bubble is over.
    void Release(Instant start, Instant end);

    /// Ends the bubbles of the iteration in progress up to that which ends with `position`.
    void EndBubbles(std::uint32_t position);

    /// Returns where the first gap starts; Instant::Never() without any.
    Instant FirstStart() const;

    /// Returns the longest bubble, whether taken or not.
    Duration LongestBubble() const;

  private:
    struct Gap
    {
        Instant start;
        Instant end;
        std::uint32_t bubble = 0; ///< index into m_bubbles
    };

    std::vector<Gap> m_gaps;
    std::vector<UsableSpan> m_bubbles;
    std::uint32_t m_over = 0; ///< bubbles before this one are over
    Duration m_shortest;
    Duration m_longestBubble;
};

} // namespace geotrain
