// SPDX-License-Identifier: GPL-2.0-only
// Says where a worker of a job stands in its instruction stream, and what it waits for or has in
// progress.
#pragma once

#include "execution/collective-queue.h"
#include "execution/inbox.h"
#include "execution/order-policy.h"

#include <array>
#include <memory>

namespace geotrain
{

/// WorkerProgress is the state of one worker.
struct WorkerProgress
{
    /// Stands at the first instruction. The references must outlive this, which must stay where it
    /// is.
    WorkerProgress(const LinkedPlan& plan,
                   WorkerIndex worker,
                   const CollectiveQueue::Carrier& carrier,
                   const CollectiveQueue::Callback& onCollective);

    /// Stands at the first instruction of the next pass.
    void BeginNextPass();

    CollectiveQueue& LaneAt(Lane lane)
    {
        return lanes[static_cast<std::size_t>(lane)];
    }

    Inbox inbox;
    std::unique_ptr<OrderPolicy> policy; ///< nullptr: the worker keeps the stream's order
    std::array<CollectiveQueue, laneCount> lanes;

    std::size_t position = 0;
    std::uint32_t pass = 0; ///< number of the pass over the stream, from 0
    bool isComputing = false;
    std::size_t computing = 0; ///< position of the compute instruction that runs or ran last
    Instant computeStart;
    Clock::EventNumber event = 0; ///< last event that was scheduled for the worker
};

} // namespace geotrain
