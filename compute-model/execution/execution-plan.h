// SPDX-License-Identifier: GPL-2.0-only
// What an executor runs: a stream for each worker, run `iterations` times, and the groups of its
// collectives.
#pragma once

#include "execution/collectives.h"
#include "execution/instruction.h"

#include <string>
#include <vector>

namespace geotrain
{

/// An ExecutionPlan is the work of all workers of a job.
struct ExecutionPlan
{
    /// A Worker is one tensor-parallel group with its stream.
    struct Worker
    {
        std::string name; ///< for reports: "replica 0 stage 2"
        NodeIndex node = 0;
        InstructionStream stream; ///< one iteration, or all of them where they run without flush
        /// Most activations of a worker that deviates (Varuna); 0: it doesn't deviate. While the
        /// input of its next backward is late, it runs the next forward whose input is here, as
        /// long as it holds fewer activations than this.
        std::uint32_t activationCap = 0;
    };

    /// Contention says how a worker's collectives and its computing share the GPU, as kernels of
    /// NCCL do. By default they don't disturb each other.
    struct Contention
    {
        /// A collective whose turn comes while the worker computes is launched only when that
        /// instruction ends, since its kernel finds no free multiprocessor.
        bool isNonPreemptive = false;
        /// Share of its rate that a collective loses while the worker computes, below 1.
        double interference = 0;

        bool IsThere() const
        {
            return isNonPreemptive || interference > 0;
        }
    };

    std::vector<Worker> workers;
    Contention contention = {};
    std::vector<std::vector<WorkerIndex>> groups; ///< members in ring order
    std::uint32_t iterations = 1;                 ///< how often each stream runs
    CollectiveChoice chooseCollective = {};       ///< empty: all go round rings
    double betweenNodes = 1;                      ///< CollectiveRequest::betweenNodes

    /// Returns what a collective instruction of the plan asks for, without a number.
    CollectiveRequest RequestOf(const Instruction& collective) const;
};

} // namespace geotrain
