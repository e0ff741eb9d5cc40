// SPDX-License-Identifier: GPL-2.0-only
#include "fill-jobs/fill-convolutions.h"

#include "timing/kernel-timing.h"

#include <string>
#include <utility>

namespace geotrain
{

namespace
{

constexpr double kernelArea = 9; // every convolution that isn't 1 x 1 is 3 x 3
// Batch norm (statistics, then scale) and SiLU: bytes read and written per element.
constexpr double normForward = 2 + (2 + 2);
constexpr double normBackward = (2 + 2) + (2 + 2 + 2);
constexpr double normInference = 2 + 2; // folded with the activation
constexpr double activationForward = 2 + 2;
constexpr double activationBackward = (2 + 2) + 2;
constexpr double exciteForward = 2 + (2 + 2); // mean of the channels, then their scale
constexpr double exciteBackward = 2 * exciteForward;

/// A FeatureMap is what a layer reads or writes of an image.
struct FeatureMap
{
    double side; ///< in pixels
    double channels;
};

/// Adds up the kernels of one block.
class BlockBuilder
{
  public:
    BlockBuilder(const GpuSpec& gpu, std::uint32_t images, std::string name)
        : m_kernels(gpu),
          m_images(images)
    {
        m_block.name = std::move(name);
    }

    /// Adds a dense convolution with `area` weights per channel pair, its norm and, where
    /// `hasActivation`, SiLU.
    void Convolve(const FeatureMap& in, const FeatureMap& out, double area, bool hasActivation)
    {
        const double outputs = ElementsOf(out);
        const double operands = ElementsOf(in) + outputs + area * in.channels * out.channels;
        const double multiplyAdds = outputs * area * in.channels;
        const double seconds = m_kernels.Fused(multiplyAdds, bytesPerElement * operands);
        AddKernel({seconds, seconds, seconds}, seconds, 2 * multiplyAdds);
        Normalise(outputs, out.channels, hasActivation);
        m_block.parameters += area * in.channels * out.channels;
    }

    void ConvolveDepthwise(const FeatureMap& in, const FeatureMap& out)
    {
        const double outputs = ElementsOf(out);
        const double seconds =
            m_kernels.MemoryTraffic(bytesPerElement * (ElementsOf(in) + outputs));
        AddKernel({seconds, seconds, seconds}, seconds, 2 * outputs * kernelArea);
        Normalise(outputs, out.channels, true);
        m_block.parameters += kernelArea * out.channels;
    }

    /// Adds squeeze and excitation over `squeezed` channels.
    void Excite(const FeatureMap& map, double squeezed)
    {
        const double elements = ElementsOf(map);
        const double channels = map.channels;
        const double forward = m_kernels.MemoryTraffic(exciteForward * elements);
        AddKernel({forward, m_kernels.MemoryTraffic(exciteBackward * elements), 0},
                  forward,
                  2 * 2 * m_images * channels * squeezed);
        m_block.parameters += 2 * channels * squeezed + channels + squeezed;
    }

    FillBlock Finish(const FeatureMap& out)
    {
        m_block.outputBytes = bytesPerElement * ElementsOf(out);
        return m_block;
    }

  private:
    double ElementsOf(const FeatureMap& map) const
    {
        return m_images * map.side * map.side * map.channels;
    }

    void AddKernel(const PassSeconds& training, double inference, double flops)
    {
        m_block.training.forward += training.forward;
        m_block.training.backwardInput += training.backwardInput;
        m_block.training.backwardWeight += training.backwardWeight;
        m_block.inferenceSeconds += inference;
        m_block.forwardFlops += flops;
    }

    void Normalise(double elements, double channels, bool hasActivation)
    {
        const double activation = hasActivation ? 1 : 0;
        const auto traffic = [&](double bytes)
        { return m_kernels.MemoryTraffic(bytes * elements); };
        AddKernel({traffic(normForward + activation * activationForward),
                   traffic(normBackward + activation * activationBackward),
                   0},
                  traffic(normInference),
                  0);
        m_block.parameters += 2 * channels;
        m_block.keptBytes += bytesPerElement * elements * (1 + activation); // inputs of both
    }

    KernelTiming m_kernels;
    double m_images;
    FillBlock m_block;
};

struct Stage
{
    std::uint32_t layers;
    std::uint32_t stride;
    std::uint32_t expansion;
    std::uint32_t channels;
    bool isFused; ///< expands in a 3 x 3 convolution instead of 1 x 1 and depthwise
};

FillBlock
InvertedBottleneck(BlockBuilder builder,
                   const Stage& stage,
                   const FeatureMap& in,
                   const FeatureMap& out)
{
    const double inner = in.channels * stage.expansion;
    if (stage.isFused && stage.expansion == 1)
    {
        builder.Convolve(in, out, kernelArea, true);
        return builder.Finish(out);
    }
    const FeatureMap expanded{out.side, inner};
    if (stage.isFused)
    {
        builder.Convolve(in, expanded, kernelArea, true);
    }
    else
    {
        builder.Convolve(in, {in.side, inner}, 1, true);
        builder.ConvolveDepthwise({in.side, inner}, expanded);
        builder.Excite(expanded, in.channels / 4);
    }
    builder.Convolve(expanded, out, 1, false);
    return builder.Finish(out);
}

} // namespace

FillBlocks
EfficientNetV2LargeBlocks(const GpuSpec& gpu, std::uint32_t images, std::uint32_t side)
{
    constexpr Stage stages[] = {{4, 1, 1, 32, true},
                                {7, 2, 4, 64, true},
                                {7, 2, 4, 96, true},
                                {10, 2, 4, 192, false},
                                {19, 1, 6, 224, false},
                                {25, 2, 6, 384, false},
                                {7, 1, 6, 640, false}};
    FeatureMap at{static_cast<double>((side + 1) / 2), 32}; // the stem halves it
    BlockBuilder stem(gpu, images, "stem");
    stem.Convolve({static_cast<double>(side), 3}, at, kernelArea, true);
    FillBlocks blocks = {stem.Finish(at)};
    for (const Stage& stage : stages)
    {
        for (std::uint32_t layer = 0; layer < stage.layers; ++layer)
        {
            const bool isHalved = layer == 0 && stage.stride == 2;
            const FeatureMap next{isHalved ? static_cast<std::uint32_t>(at.side + 1) / 2 : at.side,
                                  static_cast<double>(stage.channels)};
            blocks.push_back(InvertedBottleneck(
                BlockBuilder(gpu, images, "block " + std::to_string(blocks.size())),
                stage,
                at,
                next));
            at = next;
        }
    }
    const FeatureMap features{1, 1280}; // before the classifier
    const FeatureMap classes{1, 1000};  // ImageNet-1K
    BlockBuilder head(gpu, images, "head");
    head.Convolve(at, {at.side, features.channels}, 1, true);
    head.Convolve(features, classes, 1, false);
    blocks.push_back(head.Finish(classes));
    return blocks;
}

} // namespace geotrain
