// Resolves what is trained: a catalogue name, a transformer written in place, or a Hugging Face config.json
// (which becomes a transformer written in place), and measured times.
#pragma once

#include "loader/scenario-file.h"
#include "schema/scenario.pb.h"
#include "timing/measured-profile.h"
#include "workload/memory-model.h"
#include "workload/transformer-spec.h"

#include <optional>

namespace geotrain
{

struct ModelSection
{
    TransformerSpec spec;
    Recomputation recomputation = Recomputation::None;
    std::optional<MeasuredProfile> profile;
};

/// Fills in `model`'s defaults. Throws ConfigError.
ModelSection ResolveModel(scenario::Model& model, const ScenarioFile& file);

} // namespace geotrain
