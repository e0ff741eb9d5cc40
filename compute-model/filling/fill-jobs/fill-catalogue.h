// The fill jobs that geotrain knows by name, of the kind that PipeFill's evaluation ran (arXiv 2410.07192, section 5).
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

/// Measured times over those of the compute model, which leaves out kernel launches, data layout and what frameworks add.
struct FillOverheads
{
    double training = 1;
    double inference = 1;
};

struct FillModel
{
    std::string name;
    std::string source; ///< where the shape was published
    FillOverheads overheads;
    FillBlocks (*blocks)(const GpuSpec& gpu, std::uint32_t samples, FillTask task);
};

/// bert-base, bert-large, efficientnet, swin-large, xlm-roberta-xl.
const std::vector<FillModel>& FillModelCatalogue();

/// By name, case and all; null if there is none.
const FillModel* FindFillModel(std::string_view name);

/// Of the model that a training pass works on.
double FillParameters(const FillModel& model);

/// One pass over `samples` samples on one GPU. Inference holds 2 bytes a parameter and two activations; training 18 bytes a
/// parameter (memory-model.h), all activations, and a gradient of one, without recomputation.
FillProgram
MakeFillProgram(const FillModel& model, FillTask task, std::uint32_t samples, const GpuSpec& gpu);

/// Programs of 1, 2, 4, ... 256 samples, as far as the memory of a GPU goes: what a planner chooses from. Empty where not
/// even one sample fits the GPU.
std::vector<std::shared_ptr<const FillProgram>>
MakeFillPrograms(const FillModel& model, FillTask task, const GpuSpec& gpu);

} // namespace geotrain
