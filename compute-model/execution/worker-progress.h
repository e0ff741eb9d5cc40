// SPDX-License-Identifier: GPL-2.0-only
// Where one worker of a job stands in its instruction stream, and what it waits for or has in
// progress.
#pragma once

#include "execution/clock.h"
#include "execution/collective-queue.h"
#include "execution/inbox.h"
#include "execution/order-policy.h"

#include <memory>

namespace geotrain
{

struct WorkerProgress
{
    /// Stands at the first instruction. The references must outlive this, which must stay where it
    /// is.
    WorkerProgress(const LinkedPlan& plan,
                   WorkerIndex worker,
                   MessageLayer& layer,
                   CollectiveQueue::Callback onCollective);

    void BeginNextPass();

    /// Stands at `newPosition` of `newPass`, with all before it done and nothing else. Nothing may
    /// be in progress.
    void Restart(std::uint32_t newPass, std::size_t newPosition);

    Inbox inbox;
    std::unique_ptr<OrderPolicy> policy; ///< nullptr: in the stream's order
    CollectiveQueue collectives;

    std::size_t position = 0;
    std::uint32_t pass = 0; ///< over the stream, from 0
    bool isComputing = false;
    std::size_t computing = 0; ///< position of the compute instruction that runs or ran last
    Instant computeStart;
    Clock::EventNumber event = 0; ///< the last that was scheduled for the worker
};

} // namespace geotrain
