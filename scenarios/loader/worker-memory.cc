#include "loader/worker-memory.h"

namespace geotrain
{

std::vector<std::uint32_t>
DataCentersOfWorkers(const TrainingSection& training)
{
    const auto& placement = training.placement;
    std::vector<std::uint32_t> dataCenters;
    for (std::uint32_t replica = 0; replica < placement.replicas; ++replica)
    {
        for (std::uint32_t stage = 0; stage < placement.stages; ++stage)
        {
            dataCenters.push_back(placement.dataCenterOfReplica.empty()
                                      ? placement.dataCenterOfStage[stage]
                                      : placement.dataCenterOfReplica[replica]);
        }
    }
    return dataCenters;
}

std::vector<WorkerMemory>
MemoryOfWorkers(const scenario::Scenario& scenario,
                const ModelSection& model,
                const TrainingSection& training)
{
    const auto dataCenters = DataCentersOfWorkers(training);
    std::vector<WorkerMemory> memory;
    for (WorkerIndex worker = 0; worker < dataCenters.size(); ++worker)
    {
        const std::uint32_t place = worker % training.placement.stages;
        const auto ofOne = MemoryOfWorker(place, 1, scenario, training, model);
        WorkerMemory own;
        own.capacity = training.gpuOfDataCenter[dataCenters[worker]].memory;
        own.state = ofOne.state + ofOne.working;
        own.perActivation = ofOne.activations;
        own.peakActivations = training.order.activationCap[place];
        memory.push_back(own);
    }
    return memory;
}

} // namespace geotrain
