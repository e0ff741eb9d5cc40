// SPDX-License-Identifier: GPL-2.0-only
// The collectives of one worker. They run one after another, in the order in which its stream joins
// them.
#pragma once

#include "execution/linked-plan.h"
#include "execution/message-layer.h"

#include <deque>
#include <functional>
#include <string>

namespace geotrain
{

/// A CollectiveQueue runs the collectives of one worker.
class CollectiveQueue
{
  public:
    /// A Joined is a collective that the worker has joined.
    struct Joined
    {
        std::size_t position = 0; ///< position in the worker's stream
        std::uint32_t pass = 0;
        Instant at;
    };

    /// Is called when a collective has ended. `failure` is empty if the worker has its result. The
    /// next collective starts with StartNext().
    using Callback =
        std::function<void(const Joined& joined, Instant ended, const std::string& failure)>;

    /// The references must outlive the queue.
    CollectiveQueue(const LinkedPlan& plan,
                    WorkerIndex worker,
                    MessageLayer& layer,
                    Callback callback);

    /// Joins the collective at `position`, for which the worker's input is ready now.
    void Join(std::size_t position, std::uint32_t pass);

    /// Starts the collective that was joined first, unless one runs.
    void StartNext();

    /// Forgets all collectives. The one that runs ends for all its members.
    void Cancel();

    bool IsEmpty() const;

  private:
    void OnEnded(Instant at, const std::string& failure);

    const LinkedPlan& m_plan;
    WorkerIndex m_worker;
    MessageLayer& m_layer;
    Callback m_callback;
    std::deque<Joined> m_joined; ///< collectives that have not ended
    bool m_runs = false;         ///< the first of them runs
    CollectiveHandle m_running;
};

} // namespace geotrain
