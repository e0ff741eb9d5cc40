// SPDX-License-Identifier: GPL-2.0-only
// Lists the fill jobs that geotrain knows by name, of the kind that PipeFill's evaluation ran
// (arXiv 2410.07192, section 5).
#pragma once

#include "fill-jobs/fill-block.h"
#include "fill-jobs/fill-job.h"
#include "hardware/gpu-spec.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace geotrain
{

/// FillOverheads are measured times over those of the compute model, which leaves out kernel
/// launches, data layout and what frameworks add.
struct FillOverheads
{
    double training = 1;
    double inference = 1;
};

/// A FillModel is one entry of the catalogue.
struct FillModel
{
    std::string name;
    std::string source; ///< where the shape was published
    FillOverheads overheads;
    FillBlocks (*blocks)(const GpuSpec& gpu, std::uint32_t samples, FillTask task);
};

/// Returns bert-base, bert-large, efficientnet, swin-large and xlm-roberta-xl.
const std::vector<FillModel>& FillModelCatalogue();

/// Finds a model by its exact name, where upper and lower case count. Returns null if there is
/// none.
const FillModel* FindFillModel(std::string_view name);

/// Returns the parameters of the model that a training pass works on.
double FillParameters(const FillModel& model);

/// Makes the program of one pass over `samples` samples on one GPU. Inference holds 2 bytes per
/// parameter and two activations. Training holds 18 bytes per parameter (memory-model.h), all
/// activations, and one activation's gradient, without recomputation.
FillProgram
MakeFillProgram(const FillModel& model, FillTask task, std::uint32_t samples, const GpuSpec& gpu);

/// Makes the programs of 1, 2, 4, ... 256 samples, as far as the memory of a GPU goes; a planner
/// chooses from them. The result is empty where not even one sample fits the GPU.
std::vector<std::shared_ptr<const FillProgram>>
MakeFillPrograms(const FillModel& model, FillTask task, const GpuSpec& gpu);

} // namespace geotrain
