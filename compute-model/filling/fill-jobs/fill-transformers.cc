// SPDX-License-Identifier: GPL-2.0-only
#include "fill-jobs/fill-transformers.h"

#include "timing/kernel-timing.h"
#include "timing/stage-timing.h"
#include "workload/flop-count.h"
#include "workload/memory-model.h"
#include "workload/parameter-count.h"

namespace geotrain
{

namespace
{

FillBlock
TransformerLayer(const std::string& name,
                 const TransformerSpec& model,
                 const GpuSpec& gpu,
                 std::uint32_t sequences)
{
    StageExecution execution{sequences, 1, Recomputation::None};
    execution.attention =
        IsFused(AttentionOn(gpu)) ? Attention::Fused : Attention::Unfused; // no mask
    const LayerTiming timing(model, gpu, execution);
    FillBlock block;
    block.name = name;
    block.parameters = static_cast<double>(LayerParameters(model));
    block.training = timing.Layer();
    block.inferenceSeconds = timing.InferenceForward();
    block.forwardFlops = LayerFlops(model, sequences).forward.Count();
    block.keptBytes = static_cast<double>(LayerActivationBytes(model, execution).Count());
    block.outputBytes = bytesPerElement * sequences * model.sequence * model.hidden;
    return block;
}

/// Returns a product of `rows` x `inner` by `inner` x `outer`, with a norm of its input.
FillBlock
LinearBlock(const std::string& name, const GpuSpec& gpu, double rows, double inner, double outer)
{
    const KernelTiming kernels(gpu);
    constexpr double normTraffic = 2 + 2; // bytes read and written per element
    FillBlock block;
    block.name = name;
    block.parameters = inner * outer + 2 * inner;
    const double product = kernels.Matmul(rows, inner, outer);
    const double norm = kernels.MemoryTraffic(normTraffic * rows * inner);
    block.training = {product + norm, product + 2 * norm, product};
    block.inferenceSeconds = product + norm;
    block.forwardFlops = 2 * rows * inner * outer;
    block.keptBytes = 2 * bytesPerElement * rows * inner; // inputs of the norm and of the product
    block.outputBytes = bytesPerElement * rows * outer;
    return block;
}

FillBlock
EmbeddingBlock(const TransformerSpec& model, const GpuSpec& gpu, std::uint32_t sequences)
{
    const LayerTiming timing(model, gpu, {sequences});
    const double elements = static_cast<double>(sequences) * model.sequence * model.hidden;
    FillBlock block;
    block.name = "embedding";
    block.parameters = static_cast<double>(EmbeddingParameters(model) + FinalNormParameters(model));
    block.training = timing.Embedding();
    block.inferenceSeconds = block.training.forward;
    block.keptBytes = elements; // dropout's mask
    block.outputBytes = bytesPerElement * elements;
    return block;
}

FillBlock
HeadBlock(const TransformerSpec& model, const GpuSpec& gpu, std::uint32_t sequences)
{
    const LayerTiming timing(model, gpu, {sequences});
    const double tokens = static_cast<double>(sequences) * model.sequence;
    constexpr double logitBytes = 4; // fp32
    FillBlock block;
    block.name = "head";
    block.training = timing.Head();
    block.forwardFlops = HeadFlops(model, sequences).forward.Count();
    block.keptBytes = logitBytes * tokens * model.vocabulary + 4 * tokens * model.hidden;
    block.isConsumedAtOnce = true;
    block.isForTrainingOnly = true;
    return block;
}

/// Describes one stage of Swin: windows of 49 patches, `width` channels, heads of 32.
TransformerSpec
SwinStage(std::uint32_t width)
{
    constexpr std::uint32_t headWidth = 32;
    constexpr std::uint32_t patchesOfWindow = 49;
    return MakeGpt("swin-stage", 1, width, width / headWidth, 1, patchesOfWindow, false);
}

} // namespace

FillBlocks
EncoderBlocks(const TransformerSpec& model, const GpuSpec& gpu, std::uint32_t sequences)
{
    FillBlocks blocks = {EmbeddingBlock(model, gpu, sequences)};
    for (std::uint32_t layer = 0; layer < model.layers; ++layer)
    {
        blocks.push_back(TransformerLayer("layer " + std::to_string(layer), model, gpu, sequences));
    }
    blocks.push_back(HeadBlock(model, gpu, sequences));
    return blocks;
}

FillBlocks
SwinLargeBlocks(const GpuSpec& gpu, std::uint32_t images)
{
    constexpr std::uint32_t depths[] = {2, 2, 18, 2}; // Swin-L: C = 192, layers {2, 2, 18, 2}
    constexpr double biasRows = 13 * 13;              // relative positions in a window of 7 x 7
    std::uint32_t width = 192;
    std::uint32_t side = 56; // patches of 4 x 4 pixels
    const auto tokens = [&] { return static_cast<double>(images) * side * side; };
    FillBlocks blocks = {LinearBlock("patches", gpu, tokens(), 4 * 4 * 3, width)};
    for (std::size_t stage = 0; stage < 4; ++stage)
    {
        if (stage > 0)
        {
            side /= 2;
            width *= 2;
            blocks.push_back(
                LinearBlock("merging " + std::to_string(stage), gpu, tokens(), 2.0 * width, width));
        }
        const TransformerSpec model = SwinStage(width);
        const std::uint32_t windows = images * (side / 7) * (side / 7);
        for (std::uint32_t layer = 0; layer < depths[stage]; ++layer)
        {
            const std::string name =
                "stage " + std::to_string(stage) + " layer " + std::to_string(layer);
            blocks.push_back(TransformerLayer(name, model, gpu, windows));
            blocks.back().parameters += biasRows * model.heads;
        }
    }
    constexpr double classes = 1000; // ImageNet-1K
    blocks.push_back(LinearBlock("head", gpu, images, width, classes));
    return blocks;
}

} // namespace geotrain
