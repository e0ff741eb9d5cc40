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
    void
    Convolve(double sideIn, double in, double sideOut, double out, double area, bool hasActivation)
    {
        const double outputs = m_images * sideOut * sideOut * out;
        const double operands = m_images * sideIn * sideIn * in + outputs + area * in * out;
        const double multiplyAdds = outputs * area * in;
        const double seconds = m_kernels.Fused(multiplyAdds, bytesPerElement * operands);
        AddKernel({seconds, seconds, seconds}, seconds, 2 * multiplyAdds);
        Normalise(outputs, out, hasActivation);
        m_block.parameters += area * in * out;
    }

    void ConvolveDepthwise(double sideIn, double sideOut, double channels)
    {
        const double outputs = m_images * sideOut * sideOut * channels;
        const double inputs = m_images * sideIn * sideIn * channels;
        const double seconds = m_kernels.MemoryTraffic(bytesPerElement * (inputs + outputs));
        AddKernel({seconds, seconds, seconds}, seconds, 2 * outputs * kernelArea);
        Normalise(outputs, channels, true);
        m_block.parameters += kernelArea * channels;
    }

    /// Adds squeeze and excitation of `channels` over `squeezed` channels.
    void Excite(double side, double channels, double squeezed)
    {
        const double elements = m_images * side * side * channels;
        const double forward = m_kernels.MemoryTraffic(exciteForward * elements);
        AddKernel({forward, m_kernels.MemoryTraffic(exciteBackward * elements), 0},
                  forward,
                  2 * 2 * m_images * channels * squeezed);
        m_block.parameters += 2 * channels * squeezed + channels + squeezed;
    }

    FillBlock Finish(double sideOut, double out)
    {
        m_block.outputBytes = bytesPerElement * m_images * sideOut * sideOut * out;
        return m_block;
    }

  private:
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
InvertedBottleneck(
    BlockBuilder builder, const Stage& stage, double sideIn, double in, double sideOut)
{
    const double out = stage.channels;
    const double inner = in * stage.expansion;
    if (stage.isFused && stage.expansion == 1)
    {
        builder.Convolve(sideIn, in, sideOut, out, kernelArea, true);
        return builder.Finish(sideOut, out);
    }
    if (stage.isFused)
    {
        builder.Convolve(sideIn, in, sideOut, inner, kernelArea, true);
    }
    else
    {
        builder.Convolve(sideIn, in, sideIn, inner, 1, true);
        builder.ConvolveDepthwise(sideIn, sideOut, inner);
        builder.Excite(sideOut, inner, in / 4);
    }
    builder.Convolve(sideOut, inner, sideOut, out, 1, false);
    return builder.Finish(sideOut, out);
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
    double at = (side + 1) / 2; // the stem halves it
    double channels = 32;
    BlockBuilder stem(gpu, images, "stem");
    stem.Convolve(side, 3, at, channels, kernelArea, true);
    FillBlocks blocks = {stem.Finish(at, channels)};
    for (const Stage& stage : stages)
    {
        for (std::uint32_t layer = 0; layer < stage.layers; ++layer)
        {
            const double next =
                layer == 0 && stage.stride == 2 ? static_cast<std::uint32_t>(at + 1) / 2 : at;
            blocks.push_back(InvertedBottleneck(
                BlockBuilder(gpu, images, "block " + std::to_string(blocks.size())),
                stage,
                at,
                channels,
                next));
            at = next;
            channels = stage.channels;
        }
    }
    constexpr double features = 1280; // channels before the classifier
    constexpr double classes = 1000;  // ImageNet-1K
    BlockBuilder head(gpu, images, "head");
    head.Convolve(at, channels, at, features, 1, true);
    head.Convolve(1, features, 1, classes, 1, false);
    blocks.push_back(head.Finish(1, classes));
    return blocks;
}

} // namespace geotrain
