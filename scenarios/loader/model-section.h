// SPDX-License-Identifier: GPL-2.0-only
// Resolves what is trained: a catalogue name, a transformer written in place, or a Hugging Face
// config.json, which becomes a transformer written in place. It also reads measured times.
#pragma once

#include "loader/scenario-file.h"
#include "loader/schema-types.h"
#include "training-plan/cluster.h"
#include "training-plan/training-job.h"

namespace geotrain
{

/// Returns what trains `model`: what it says, or the default by its other fields.
Software SoftwareOf(const scenario::Model& model);

/// Fills in the defaults of `model`. Returns a job in which the model, its recomputation, its
/// software and the overhead of its iterations are set. Throws ConfigError.
TrainingJob ResolveModel(scenario::Model& model, const ScenarioFile& file);

/// Sets precision and how attention is computed, by the GPUs of the cluster unless `model` says it,
/// the bytes that follow, and measured times. Throws ConfigError where a GPU has no such precision.
void ResolveKernels(scenario::Model& model,
                    const Cluster& cluster,
                    const ScenarioFile& file,
                    TrainingJob& job);

} // namespace geotrain
