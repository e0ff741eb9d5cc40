// SPDX-License-Identifier: GPL-2.0-only
// Finds the iteration that is the one before over again: all of its messages and collectives, and the
// iteration itself, take as long within a tolerance. A collective takes from when its last member has
// joined until its last member has ended; of several of a group on one layer the last counts. What
// changes by less than the tolerance from each iteration to the next is not seen. It is for schedules
// with flush, whose iterations have all of their messages when they end.
#pragma once

#include "execution/execution-observer.h"

#include <array>
#include <cstdint>
#include <map>

namespace geotrain
{

/// A RepetitionWatch looks for the first measured iteration that is a repetition.
class RepetitionWatch : public ExecutionObserver
{
  public:
    /// `tolerance` is a share of the time in the iteration before.
    RepetitionWatch(double tolerance,
                    std::uint32_t warmUpIterations,
                    std::uint32_t measuredIterations);

    void MessageDelivered(const Message& message, const MessageTimes& times) override;
    void CollectiveEnded(WorkerIndex worker,
                         std::uint32_t iteration,
                         const Instruction& instruction,
                         Instant joined,
                         Instant ended) override;
    void IterationEnded(std::uint32_t iteration, Instant end) override;

    /// Returns how many measured iterations come after the one that is a repetition; 0 before it has
    /// ended, and where it is the last.
    std::uint32_t IterationsLeft() const;

  private:
    /// What is sent, by whom to whom, and for which part of the model and the batch.
    using Key = std::array<std::uint32_t, 5>;

    /// A Span goes from the last of its begins to the last of its ends.
    struct Span
    {
        Instant begin;
        Instant end;
    };

    using Spans = std::map<Key, Span>;

    void Add(std::uint32_t iteration, const Key& key, Instant begin, Instant end);
    bool IsNear(Duration now, Duration before) const;
    bool AreNear(const Spans& now, const Spans& before) const;

    double m_tolerance;
    std::uint32_t m_warmUp;
    std::uint32_t m_all;
    std::map<std::uint32_t, Spans> m_spans; ///< by iteration that has not ended
    Spans m_before;                         ///< of the last iteration that ended
    Duration m_lastTime;                    ///< of the same
    Instant m_lastEnd;
    std::uint32_t m_ended = 0; ///< iterations that have ended
    std::uint32_t m_left = 0;
};

} // namespace geotrain
