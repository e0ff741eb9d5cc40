// What an executor runs: a stream for each worker, run `iterations` times, and the groups of its collectives.
#pragma once

#include "execution/instruction.h"
#include "execution/network.h"

#include <string>
#include <vector>

namespace geotrain
{

struct ExecutionPlan
{
    struct Worker
    {
        std::string name; ///< for reports: "replica 0 stage 2"
        NodeIndex node = 0;
        InstructionStream stream; ///< of one iteration
    };

    std::vector<Worker> workers;
    std::vector<std::vector<WorkerIndex>> groups; ///< members in ring order
    std::uint32_t iterations = 1;
};

} // namespace geotrain
