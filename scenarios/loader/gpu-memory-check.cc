// SPDX-License-Identifier: GPL-2.0-only
#include "loader/gpu-memory-check.h"

#include "schema/scenario.pb.h"

#include <fmt/format.h>

namespace geotrain
{

namespace
{

/// Returns what the worker lacks that needs most memory beyond what its GPUs have; empty where all
/// fit.
std::string
LackOfMemory(const PreparedPlan& prepared, const Cluster& cluster)
{
    double worst = 0;
    std::string lack;
    const Placement& placement = prepared.placement;
    for (WorkerIndex index = 0; index < placement.nodeOfWorker.size(); ++index)
    {
        const auto worker = index % placement.stages;
        const GpuSpec& gpu = cluster.GpuOfNode(placement.nodeOfWorker[index]);
        const Bytes needed = prepared.memory[worker].Total();
        const double missing = static_cast<double>((needed - gpu.memory).Count());
        if (missing > worst)
        {
            worst = missing;
            lack = fmt::format("{} {} needs {:.1f} GB on each {} of {:.1f} GB, {:.1f} GB too much",
                               prepared.order.stagesOfWorker.empty() ? "stage" : "worker",
                               worker,
                               static_cast<double>(needed.Count()) * 1e-9,
                               gpu.name,
                               static_cast<double>(gpu.memory.Count()) * 1e-9,
                               missing * 1e-9);
        }
    }
    return lack;
}

} // namespace

std::vector<std::string>
CheckGpuMemory(const scenario::Run& run,
               const PreparedPlan& prepared,
               const Cluster& cluster,
               const ScenarioFile& file)
{
    const std::string lack = LackOfMemory(prepared, cluster);
    if (lack.empty())
    {
        return {};
    }
    if (run.memory_check() == scenario::REFUSE)
    {
        file.Fail("model",
                  "",
                  "must fit into memory: " + lack + "; run.memory_check WARN runs it all the same");
    }
    return {"the model does not fit into memory, but runs as if it did: " + lack};
}

} // namespace geotrain
