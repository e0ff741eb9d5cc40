// SPDX-License-Identifier: GPL-2.0-only
// Takes the memory of each worker's own GPUs, since replicas in different data centres may have
// different ones.
#include "loader/worker-memory.h"

namespace geotrain
{

std::vector<WorkerMemory>
MemoryOfWorkers(const PreparedPlan& training, const Cluster& cluster)
{
    std::vector<WorkerMemory> memory;
    for (WorkerIndex worker = 0; worker < training.placement.nodeOfWorker.size(); ++worker)
    {
        const std::uint32_t place = worker % training.placement.stages;
        WorkerMemory own;
        own.capacity = cluster.GpuOfNode(training.placement.nodeOfWorker[worker]).memory;
        own.state = training.memory[place].state + training.memory[place].working;
        own.perActivation = training.activation[place];
        own.peakActivations = training.order.activationCap[place];
        memory.push_back(own);
    }
    return memory;
}

} // namespace geotrain
