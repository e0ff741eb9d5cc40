// SPDX-License-Identifier: GPL-2.0-only
// The collectives of one worker on one lane, in the order in which its stream joins them. On the lane
// of collectives one runs after another, and they may share the GPU with what it computes
// (ExecutionPlan::Contention). Pulls and pushes are handed over at once: whoever carries them keeps
// their order. What a collective loses to computing is made up for at its end by each worker for
// itself, which is exact where all workers compute at the same times.
#pragma once

#include "execution/clock.h"
#include "execution/linked-plan.h"

#include <deque>
#include <functional>
#include <string>

namespace geotrain
{

/// A CollectiveQueue runs the collectives of one worker on one lane.
class CollectiveQueue
{
  public:
    /// A Joined is a collective that the worker has joined.
    struct Joined
    {
        std::size_t position = 0; ///< position in the worker's stream
        std::uint32_t pass = 0;
        Instant at;
        CollectiveHandle handle = {}; ///< set once it has started
    };

    /// Is called when a collective has ended. `failure` is empty if the worker has its result. The
    /// next collective starts with StartNext().
    using Callback =
        std::function<void(const Joined& joined, Instant ended, const std::string& failure)>;

    /// A Carrier is who runs the collectives of all workers, and by which clock.
    struct Carrier
    {
        Clock& clock;
        Collectives& collectives;
    };

    /// The references must outlive the queue, which must stay where it is once it is used.
    CollectiveQueue(const LinkedPlan& plan,
                    WorkerIndex worker,
                    Lane lane,
                    const Carrier& carrier,
                    Callback callback);

    /// Joins the collective at `position`, for which the worker's input is ready now.
    void Join(std::size_t position, std::uint32_t pass);

    /// Starts what may start: the collective that was joined first, or all of a lane that hands
    /// over.
    void StartNext();

    /// Tells that the worker begins, or ends, to compute.
    void SetComputing(bool isComputing);

    /// Forgets all collectives. Those that run end for all their members.
    void Cancel();

    bool IsEmpty() const;

    /// Returns the collectives that have not ended.
    std::size_t Size() const;

  private:
    void OnEnded(Instant at, const std::string& failure);
    void CountLoss();
    void MakeUp();

    const LinkedPlan& m_plan;
    const ExecutionPlan::Contention& m_contention;
    WorkerIndex m_worker;
    const bool m_handsOver; ///< all collectives start when they are joined
    Carrier m_carrier;
    Callback m_callback;
    std::deque<Joined> m_joined; ///< collectives that have not ended
    std::size_t m_running = 0;   ///< the first of them run

    bool m_isComputing = false;
    Duration m_lost;   ///< of the running collective's time alone, not made up for yet
    Instant m_counted; ///< until when m_lost is counted
    bool m_makesUp = false;
    Clock::EventNumber m_madeUp = 0;
};

} // namespace geotrain
