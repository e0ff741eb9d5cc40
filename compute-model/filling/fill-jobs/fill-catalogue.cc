// SPDX-License-Identifier: GPL-2.0-only
#include "fill-jobs/fill-catalogue.h"

#include "fill-jobs/fill-convolutions.h"
#include "fill-jobs/fill-transformers.h"
#include "timing/stage-timing.h"
#include "workload/memory-model.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace geotrain
{

namespace
{

constexpr double inferenceBytesPerParameter = 2;
// The longest product of a transformer's layer is a third of it: an estimate for every block. The
// backward pass has two products for each of the forward pass.
constexpr std::uint32_t kernelsForward = 3;
constexpr std::uint32_t kernelsBackward = 2 * kernelsForward;

Bytes
Rounded(double bytes)
{
    return Bytes::Of(std::llround(bytes));
}

/// Returns an encoder over sequences of 512 tokens, with which the models are pre-trained.
template <std::uint32_t layers, std::uint32_t hidden, std::uint32_t heads, std::uint32_t vocabulary>
FillBlocks
Encoder(const GpuSpec& gpu, std::uint32_t samples, FillTask /*task*/)
{
    constexpr std::uint32_t tokens = 512;
    return EncoderBlocks(
        MakeGpt("encoder", layers, hidden, heads, vocabulary, tokens, true), gpu, samples);
}

FillBlocks
SwinLarge(const GpuSpec& gpu, std::uint32_t samples, FillTask /*task*/)
{
    return SwinLargeBlocks(gpu, samples);
}

FillBlocks
EfficientNet(const GpuSpec& gpu, std::uint32_t samples, FillTask task)
{
    constexpr std::uint32_t trainingSide = 384; // of the paper's table 4
    constexpr std::uint32_t inferenceSide = 480;
    return EfficientNetV2LargeBlocks(
        gpu, samples, task == FillTask::Training ? trainingSide : inferenceSide);
}

std::vector<FillOperator>
InferenceOperators(const FillBlocks& blocks, double overhead)
{
    double weights = 0;
    for (const FillBlock& block : blocks)
    {
        weights += inferenceBytesPerParameter * block.parameters;
    }
    std::vector<FillOperator> operators;
    double input = 0;
    for (const FillBlock& block : blocks)
    {
        if (!block.isForTrainingOnly)
        {
            operators.push_back({block.name,
                                 Duration::Seconds(overhead * block.inferenceSeconds),
                                 Rounded(weights + input + block.outputBytes),
                                 Flops::Of(block.forwardFlops),
                                 true,
                                 kernelsForward});
            input = block.outputBytes;
        }
    }
    return operators;
}

std::vector<FillOperator>
TrainingOperators(const FillBlocks& blocks, double parameters, double overhead, const GpuSpec& gpu)
{
    std::vector<FillOperator> operators;
    double held = static_cast<double>(StateBytesPerParameter(Precision::Bf16)) * parameters;
    for (const FillBlock& block : blocks)
    {
        held += block.keptBytes;
        operators.push_back({"forward " + block.name,
                             Duration::Seconds(overhead * block.training.forward),
                             Rounded(held + block.outputBytes),
                             Flops::Of(block.forwardFlops),
                             !block.isConsumedAtOnce,
                             kernelsForward});
    }
    for (auto block = blocks.rbegin(); block != blocks.rend(); ++block)
    {
        const double seconds =
            overhead * (block->training.backwardInput + block->training.backwardWeight);
        operators.push_back({"backward " + block->name,
                             Duration::Seconds(seconds),
                             Rounded(held + block->outputBytes),
                             Flops::Of(2 * block->forwardFlops),
                             true,
                             kernelsBackward});
        held -= block->keptBytes;
    }
    operators.push_back({"optimizer",
                         OptimizerStepTime(parameters, gpu),
                         Rounded(held),
                         Flops(),
                         true,
                         static_cast<std::uint32_t>(2 * blocks.size())});
    return operators;
}

// The overheads are those of one V100 in mixed precision; tests/validation/fill-jobs compares them
// again.
//
// BERT-large makes 34 sequences/s in training (512 tokens) and 153/s in inference (384 tokens,
// batch 8), according to NVIDIA DeepLearningExamples, PyTorch/LanguageModeling/BERT (June 2020).
// Training needs no correction.
constexpr FillOverheads encoder{1, 1.3};
// EfficientNetV2-L takes 98 ms for 16 images of 480 x 480, recalled from Tan and Le, table 7, and
// not confirmed: an estimate. With the 56.3e9 multiply-adds per image of google/automl
// (efficientnetv2/README.md) it is 16 * 2 * 56.3e9 / 0.098 s = 18.4 TFLOP/s, 15 % of the peak.
// Training is taken to be alike, which is an estimate.
constexpr FillOverheads convolutional{1.6, 1.6};
// Swin-L makes 141 images/s in fp32 (model hub of microsoft/Swin-Transformer), times what mixed
// precision gave Swin-T (issue 175 there: 1257/680). Training is taken to be alike, which is an
// estimate.
constexpr FillOverheads windowed{2.6, 2.6};

} // namespace

const std::vector<FillModel>&
FillModelCatalogue()
{
    static const std::vector<FillModel> catalogue = {
        {"bert-base",
         "Devlin et al., BERT (arXiv 1810.04805), section 3; vocabulary of its released checkpoint",
         encoder,
         &Encoder<12, 768, 12, 30522>},
        {"bert-large",
         "Devlin et al., BERT (arXiv 1810.04805), section 3; vocabulary of its released checkpoint",
         encoder,
         &Encoder<24, 1024, 16, 30522>},
        {"efficientnet",
         "Tan and Le, EfficientNetV2 (arXiv 2104.00298): V2-L",
         convolutional,
         &EfficientNet},
        {"swin-large",
         "Liu et al., Swin Transformer (arXiv 2103.14030), section 3.3: Swin-L",
         windowed,
         &SwinLarge},
        {"xlm-roberta-xl",
         "Goyal et al., Larger-Scale Transformers for Multilingual Masked Language Modeling (arXiv "
         "2105.00572); shape of its released config.json",
         encoder,
         &Encoder<36, 2560, 32, 250880>},
    };
    return catalogue;
}

const FillModel*
FindFillModel(std::string_view name)
{
    const auto& models = FillModelCatalogue();
    const auto found = std::find_if(models.begin(),
                                    models.end(),
                                    [name](const FillModel& model) { return model.name == name; });
    return found == models.end() ? nullptr : &*found;
}

double
FillParameters(const FillModel& model)
{
    GpuSpec any; // parameters don't depend on it, times do
    any.peakFlopsPerSecond = any.memoryBytesPerSecond = any.nvlinkBytesPerSecond = 1e12;
    any.efficiency = {1, 1, 1, 1, 1, ConstantSource::Estimate, ""};
    double parameters = 0;
    for (const FillBlock& block : model.blocks(any, 1, FillTask::Training))
    {
        parameters += block.parameters;
    }
    return parameters;
}

FillProgram
MakeFillProgram(const FillModel& model, FillTask task, std::uint32_t samples, const GpuSpec& gpu)
{
    const FillBlocks blocks = model.blocks(gpu, samples, task);
    const bool trains = task == FillTask::Training;
    const std::string name = model.name + (trains ? " training, batch " : " inference, batch ") +
                             std::to_string(samples);
    return FillProgram(
        name,
        samples,
        trains ? TrainingOperators(blocks, FillParameters(model), model.overheads.training, gpu)
               : InferenceOperators(blocks, model.overheads.inference),
        gpu.name);
}

std::vector<std::shared_ptr<const FillProgram>>
MakeFillPrograms(const FillModel& model, FillTask task, const GpuSpec& gpu)
{
    constexpr std::uint32_t largestBatch = 256;
    std::vector<std::shared_ptr<const FillProgram>> programs;
    for (std::uint32_t samples = 1; samples <= largestBatch; samples *= 2)
    {
        auto program =
            std::make_shared<const FillProgram>(MakeFillProgram(model, task, samples, gpu));
        if (program->PeakMemory() > gpu.memory)
        {
            break;
        }
        programs.push_back(std::move(program));
    }
    return programs;
}

} // namespace geotrain
