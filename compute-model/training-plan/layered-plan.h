// SPDX-License-Identifier: GPL-2.0-only
// Derives what a plan needs whose replicas don't keep the whole model: the work of each layer, and a
// GPU's memory. A tied embedding counts with the first and with the last layer, which both need it.
#pragma once

#include "training-plan/cluster.h"
#include "training-plan/prepared-plan.h"
#include "training-plan/training-job.h"

namespace geotrain
{

/// Sets the layers, the optimiser step and the memory of a plan with one stage, on each type of GPU
/// among the plan's nodes. Throws std::invalid_argument where a layer can't be timed.
void AddLayers(const TrainingJob& job,
               const Cluster& cluster,
               const TrainingPlan& plan,
               PreparedPlan& prepared);

/// Returns the memory of a GPU for `parameters` of the model, of which the largest layer has
/// `largest`. `whole` is that of a replica that keeps the model; its activations stay.
///   Zero3      18 bytes a parameter over the N replicas (Rajbhandari et al. 2020, P_os+g+p), and
///              the layers in flight
///   InNetwork  the layers in flight alone
/// With p layers asked for ahead, p + 1 layers are in flight, with 2 bytes a parameter each. The
/// gradients of as many are: those that are being made, and p that are on their way. ZeRO-3's one
/// stream serves the next gather before a scatter, so that it has one more.
StageMemory LayeredMemory(const TrainingPlan& plan,
                          const StageMemory& whole,
                          double parameters,
                          double largest,
                          Precision precision);

} // namespace geotrain
