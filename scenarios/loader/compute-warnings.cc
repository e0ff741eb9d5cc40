// SPDX-License-Identifier: GPL-2.0-only
#include "loader/compute-warnings.h"

#include <map>

namespace geotrain
{

std::vector<std::string>
ComputeWarnings(const TrainingJob& job, const Cluster& cluster)
{
    std::map<std::string, std::string> estimated; // whose constants they take
    for (const auto& dataCenter : cluster.dataCenters)
    {
        if (!dataCenter.gpu.efficiency.fitted && !job.timeStage)
        {
            estimated[dataCenter.gpu.name] = dataCenter.gpu.efficiency.basis;
        }
    }
    std::vector<std::string> warnings;
    for (const auto& [name, basis] : estimated)
    {
        warnings.push_back("compute times of " + name + " are an estimate: its efficiency is " +
                           basis);
    }
    if (job.recomputation == Recomputation::Selective && job.attention == Attention::Fused)
    {
        warnings.emplace_back(
            "model.recomputation SELECTIVE recomputes nothing: fused attention keeps no scores, "
            "and only sequence parallelism is left of it");
    }
    return warnings;
}

} // namespace geotrain
