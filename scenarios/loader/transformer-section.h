// SPDX-License-Identifier: GPL-2.0-only
// Reads the shape of a model that a scenario writes in place, and writes one.
#pragma once

#include "loader/scenario-file.h"
#include "loader/schema-types.h"
#include "workload/transformer-spec.h"

namespace geotrain
{

/// Returns the shape of model.transformer, and sets the fields of it that have another field's value
/// by default.
TransformerSpec FromTransformer(scenario::Model& model, const ScenarioFile& file);

/// Writes all fields of `spec` that are not their defaults.
void WriteTransformer(const TransformerSpec& spec, scenario::Transformer& written);

} // namespace geotrain
