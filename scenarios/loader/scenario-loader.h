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

/// A change of the scenario: "path=value", and what an error in it names as its file.
struct Assignment
{
    std::string text;
    std::string from; ///< "--set"
};

/// The scenario of `text` after `assignments` are made in their order; nothing else is checked. Throws
/// ConfigError.
scenario::Scenario ReadScenario(const ScenarioText& text,
                                const std::vector<Assignment>& assignments);

/// The same, resolved and checked. Throws ConfigError.
LoadedScenario LoadScenario(const ScenarioText& text,
                            const std::vector<Assignment>& assignments = {});

} // namespace geotrain
