// SPDX-License-Identifier: GPL-2.0-only
#include "loader/compute-warnings.h"

#include "hardware/gpu-catalogue.h"
#include "schema/scenario.pb.h"

#include <fmt/format.h>

#include <map>

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
ComputeWarnings(const TrainingJob& job, const Cluster& cluster)
{
    std::map<std::string, std::string> estimated; // whose constants they take
    for (const auto& gpu : cluster.GpuTypes())
    {
        if (gpu.efficiency.source == ConstantSource::Estimate && !job.timeStage)
        {
            estimated[gpu.name] = gpu.efficiency.basis;
        }
    }
    std::vector<std::string> warnings = job.model.notes;
    for (const auto& [name, basis] : estimated)
    {
        warnings.push_back("compute times of " + name + " are an estimate: its efficiency is " +
                           basis);
    }
    const bool is16Bit =
        job.model.precision == Precision::Bf16 || job.model.precision == Precision::Fp16;
    if (!is16Bit && !job.timeStage)
    {
        warnings.push_back(std::string("compute times in ") + NameOf(job.model.precision) +
                           " are an estimate: efficiencies were fitted to 16-bit training");
    }
    if (job.recomputation == Recomputation::Selective && IsFused(job.attention))
    {
        warnings.emplace_back(
            "model.recomputation SELECTIVE recomputes nothing: fused attention keeps no scores, "
            "and only sequence parallelism is left of it");
    }
    if (job.timeStage && job.tensorOverlap > 0)
    {
        warnings.emplace_back("parallelism.tensor_overlap changes nothing: the times of a measured "
                              "profile have their all-reduces in them");
    }
    if (job.timeStage && job.softwareEfficiency < 1)
    {
        warnings.emplace_back("model.software_efficiency changes nothing: the times of a measured "
                              "profile are those of its software");
    }
    return warnings;
}

std::vector<std::string>
ServingWarnings(const Cluster& cluster)
{
    std::vector<std::string> warnings;
    for (const auto& gpu : cluster.GpuTypes())
    {
        if (gpu.efficiency.source != ConstantSource::Estimate && !FindGpu(gpu.name))
        {
            warnings.push_back("prefill times of " + gpu.name +
                               " are an estimate: what a serving engine adds to them is H100's");
        }
    }
    return warnings;
}

void
CheckGpuMemory(const scenario::Run& run,
               const PreparedPlan& prepared,
               const Cluster& cluster,
               std::vector<std::string>& warnings,
               const ScenarioFile& file)
{
    const std::string lack = LackOfMemory(prepared, cluster);
    if (!lack.empty() && run.memory_check() == scenario::REFUSE)
    {
        file.Fail("model",
                  "",
                  "must fit into memory: " + lack + "; run.memory_check WARN runs it all the same");
    }
    if (!lack.empty())
    {
        warnings.push_back("the model does not fit into memory, but runs as if it did: " + lack);
    }
}

} // namespace geotrain
