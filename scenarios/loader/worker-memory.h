// What training uses of each worker's memory, as those who fill its bubbles need to know it.
#pragma once

#include "filling/bubble.h"
#include "loader/training-section.h"

#include <vector>

namespace geotrain
{

/// By worker. An activation is one of the worker's stages, embedding included.
std::vector<WorkerMemory> MemoryOfWorkers(const scenario::Scenario& scenario,
                                          const ModelSection& model,
                                          const TrainingSection& training);

/// By worker: the data centre that it is in.
std::vector<std::uint32_t> DataCentersOfWorkers(const TrainingSection& training);

} // namespace geotrain
