// SPDX-License-Identifier: GPL-2.0-only
#include "loader/compute-warnings.h"

#include "hardware/gpu-catalogue.h"

#include <map>

namespace geotrain
{

std::vector<std::string>
ComputeWarnings(const TrainingJob& job, const Cluster& cluster)
{
    std::map<std::string, std::string> estimated; // whose constants they take
    for (const auto& gpu : cluster.GpuTypes())
    {
        if (!gpu.efficiency.fitted && !job.timeStage)
        {
            estimated[gpu.name] = gpu.efficiency.basis;
        }
    }
    std::vector<std::string> warnings;
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
    return warnings;
}

std::vector<std::string>
ServingWarnings(const Cluster& cluster)
{
    std::vector<std::string> warnings;
    for (const auto& gpu : cluster.GpuTypes())
    {
        if (gpu.efficiency.fitted && !FindGpu(gpu.name))
        {
            warnings.push_back("prefill times of " + gpu.name +
                               " are an estimate: what a serving engine adds to them is H100's");
        }
    }
    return warnings;
}

} // namespace geotrain
