// What is free of one worker's bubbles: gaps in order of time, from which reservations are taken.
#pragma once

#include "filling/bubble.h"

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
    /// ends earlier. Instant::Never() where the gaps are too few, or it would end after `latest`. `first` is set
    /// to its start, and the parts are appended to `parts`, unless they are null.
    Instant Fit(Instant ready,
                const UnitWork& work,
                Instant latest,
                Instant* first,
                std::vector<FillPart>* parts) const;

    /// Takes [start, end), which must lie in one gap.
    void Take(Instant start, Instant end);

    /// Gives back what was taken. Nothing happens if its bubble is over.
    void Release(Instant start, Instant end);

    /// The bubbles of the iteration in progress up to that which ends with `position` are over. True: time after `now`
    /// was lost by it.
    bool EndBubbles(std::uint32_t position, Instant now);

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

    /// Of gaps that follow each other: what is full or past is passed over with them.
    struct Block
    {
        Duration longest;
        Instant end; ///< of its last gap
    };

    std::size_t Next(std::size_t index, Instant end, Duration length) const;
    void RememberBlocks(std::size_t from);

    std::vector<Gap> m_gaps;
    std::vector<Block> m_blocks;
    std::vector<UsableSpan> m_bubbles;
    std::uint32_t m_over = 0; ///< bubbles before this one are over
    Duration m_shortest;
    Duration m_longestBubble;
};

} // namespace geotrain
