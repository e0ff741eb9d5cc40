// SPDX-License-Identifier: GPL-2.0-only
#include "loader/compute-warnings.h"

#include <set>

namespace geotrain
{

std::vector<std::string>
ComputeWarnings(const TrainingJob& job, const Cluster& cluster)
{
    std::set<std::string> estimated;
    for (const auto& dataCenter : cluster.dataCenters)
    {
        if (!dataCenter.gpu.efficiency.fitted && !job.timeStage)
        {
            estimated.insert(dataCenter.gpu.name);
        }
    }
    std::vector<std::string> warnings;
    for (const auto& name : estimated)
    {
        warnings.push_back("compute times of " + name +
                           " are an estimate: its efficiency was not fitted to measurements");
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
