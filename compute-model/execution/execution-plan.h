// SPDX-License-Identifier: GPL-2.0-only
// What an executor runs: a stream for each worker, run `iterations` times, and the groups of its
// collectives.
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
        InstructionStream stream; ///< of one iteration, or of all where they run without flush
        /// Where set, the worker deviates (Varuna): while the input of its next backward is late,
        /// the next forward whose input is here runs, as long as it holds fewer activations than
        /// this.
        std::uint32_t activationCap = 0;
    };

    std::vector<Worker> workers;
    std::vector<std::vector<WorkerIndex>> groups; ///< members in ring order
    std::uint32_t iterations = 1;                 ///< how often each stream runs
};

} // namespace geotrain
