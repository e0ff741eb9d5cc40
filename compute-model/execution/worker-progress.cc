// SPDX-License-Identifier: GPL-2.0-only
#include "execution/worker-progress.h"

#include "execution/run-ahead.h"

namespace geotrain
{

WorkerProgress::WorkerProgress(const LinkedPlan& plan,
                               WorkerIndex worker,
                               const CollectiveQueue::Carrier& carrier,
                               const CollectiveQueue::Callback& onCollective)
    : inbox(plan.StreamOf(worker).size()),
      lanes{{{plan, worker, Lane::Collective, carrier, onCollective},
             {plan, worker, Lane::Pull, carrier, onCollective},
             {plan, worker, Lane::Push, carrier, onCollective},
             {plan, worker, Lane::AllToAll, carrier, onCollective}}}
{
    const std::uint32_t cap = plan.Plan().workers[worker].activationCap;
    if (cap > 0)
    {
        policy = std::make_unique<RunAhead>(plan.StreamOf(worker), cap, inbox);
    }
}

void
WorkerProgress::BeginNextPass()
{
    position = 0;
    ++pass;
    inbox.BeginNextPass();
    if (policy)
    {
        policy->BeginPass();
    }
}

} // namespace geotrain
