// SPDX-License-Identifier: GPL-2.0-only
#include "training-plan/replica-streams.h"

#include <utility>

namespace geotrain
{

ExecutionPlan
BuildReplicaStreams(StreamInputs inputs, const std::vector<ReplicaHost>& hosts)
{
    ExecutionPlan streams;
    WorkerIndex worker = 0;
    for (const ReplicaHost& host : hosts)
    {
        inputs.timing = host.timing;
        ExecutionPlan here = BuildStreams(inputs);
        if (worker == 0)
        {
            streams = here;
        }
        const WorkerIndex end = worker + host.replicas * inputs.placement.stages;
        for (; worker < end; ++worker)
        {
            streams.workers.at(worker) = std::move(here.workers[worker]);
        }
    }
    return streams;
}

} // namespace geotrain
