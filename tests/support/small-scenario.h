// SPDX-License-Identifier: GPL-2.0-only
// Defines a scenario that is complete, small and legal. Tests change one thing in it and check the
// effect.
#pragma once

#include "error-text.h"
#include "loader/scenario-loader.h"

#include <string>
#include <vector>

namespace geotrain
{

inline std::string
SmallScenarioText()
{
    return R"(
name: "small"
model { transformer { layers: 4 hidden: 256 heads: 4 vocabulary: 1000 } sequence: 128 microbatches: 4 }
parallelism { pipeline_stages: 2 data_parallel: 2 }
data_center { name: "a" nodes: 2 gpus_per_node: 1 gpu: "A100-80" stages: 1 }
data_center { name: "b" nodes: 2 gpus_per_node: 1 gpu: "A100-80" stages: 1 }
wan_link { from: "a" to: "b" rate: "10Gbps" delay: "10ms" }
)";
}

inline ScenarioText
AsText(const std::string& text)
{
    return {"small.textproto", ".", text};
}

/// Loads the scenario `text` with the changes `sets`.
inline Experiment
LoadText(const std::string& text, const std::vector<std::string>& sets = {})
{
    std::vector<Assignment> assignments;
    for (const auto& set : sets)
    {
        assignments.push_back({set, "--set"});
    }
    return LoadScenario(AsText(text), assignments);
}

inline Experiment
LoadSmall(const std::vector<std::string>& sets = {})
{
    return LoadText(SmallScenarioText(), sets);
}

/// Returns the loader's error for `text` with the changes `sets`; empty if there is none.
inline std::string
ErrorOfText(const std::string& text, const std::vector<std::string>& sets = {})
{
    return ErrorText([&] { LoadText(text, sets); });
}

inline std::string
ErrorOfSmall(const std::vector<std::string>& sets)
{
    return ErrorOfText(SmallScenarioText(), sets);
}

} // namespace geotrain
