// What is free of one worker's bubbles: gaps in order of time, from which reservations are taken.
#pragma once

#include "bubbles/bubble.h"

#include <deque>
#include <vector>

namespace geotrain
{

/// A bubble as far as it may be used, and which one it is.
struct UsableSpan
{
    Instant start;
    Instant end;
    std::uint32_t iterationsAhead = 0;
    std::uint32_t endsWith = 0;
};

/// A run of units (layers) in one gap.
struct FillPart
{
    Instant start;
    Instant limit; ///< of the bubble: work that starts late must end before it all the same
    std::uint32_t units = 0;
};

/// Equal, undividable pieces of work that run one after another, where there is room.
struct UnitWork
{
    std::uint32_t units = 0;
    Duration unit; ///< positive
};

class FreeTime
{
  public:
    /// Forgets all gaps and takes the spans' instead. Gaps shorter than `shortest` are of no use to anyone.
    void Set(const std::vector<UsableSpan>& spans, Duration shortest);

    /// When `work`, begun at `ready` or later, ends if it takes every gap as far as whole units fit: no other way
    /// ends earlier. Instant::Never() where the gaps are too few, or it would end after `latest`. The parts are
    /// appended to `parts`.
    Instant
    Fit(Instant ready, const UnitWork& work, Instant latest, std::vector<FillPart>& parts) const;

    /// Takes [start, end), which must lie in one gap.
    void Take(Instant start, Instant end);

    /// Gives back what was taken. Nothing happens if its bubble is over.
    void Release(Instant start, Instant end);

    /// The bubbles of the iteration in progress up to that which ends with `position` are over.
    void EndBubbles(std::uint32_t position);

    /// Gaps that end by `now` are gone.
    void Forget(Instant now);

    /// Where the first gap starts; Instant::Never() without any.
    Instant FirstStart() const;

    /// Of the bubbles, whether taken or not.
    Duration LongestBubble() const;

  private:
    struct Gap
    {
        Instant start;
        Instant end;
        std::uint32_t bubble = 0; ///< index into m_bubbles
    };

    std::deque<Gap> m_gaps;
    std::vector<UsableSpan> m_bubbles;
    std::uint32_t m_over = 0; ///< bubbles before this one are over
    Duration m_shortest;
};

} // namespace geotrain
