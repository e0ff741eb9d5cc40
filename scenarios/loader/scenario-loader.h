// The loader: from a scenario's text to everything that a run needs, all of it checked.
#pragma once

#include "loader/model-section.h"
#include "loader/scenario-text.h"
#include "loader/training-section.h"
#include "wan-topology/model/wan-topology.h"

#include <string>
#include <vector>

namespace geotrain
{

struct LoadedScenario
{
    std::string file;            ///< as errors name it
    scenario::Scenario resolved; ///< every default filled in; loading its text gives it again
    ModelSection model;
    ns3::WanTopology topology;
    TrainingSection training;
};

/// Resolves `text` after `assignments` ("path=value", in their order) are made. Errors in `assignments` are
/// reported as `assignmentsFrom`'s. Throws ConfigError.
LoadedScenario LoadScenario(const ScenarioText& text,
                            const std::vector<std::string>& assignments = {},
                            const std::string& assignmentsFrom = "--set");

} // namespace geotrain
