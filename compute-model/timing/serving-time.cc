// SPDX-License-Identifier: GPL-2.0-only
#include "timing/serving-time.h"

#include "timing/layer-timing.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace geotrain
{

namespace
{

constexpr double allReducesOfLayer = 2;

/// Returns what two all-reduces of a pass of `tokens` tokens take beyond their bytes' time.
double
AllReduceExcess(const LayerTiming& timing, const ServingCosts& costs, double tokens)
{
    const double beyond =
        std::clamp(tokens / servingSaturationTokens - 1, 0.0, costs.saturationEnd);
    return allReducesOfLayer * (costs.saturationSlope * beyond * timing.AllReduceOfActivation() +
                                costs.allReduceLatency.ToSeconds());
}

double
LayerSeconds(const LayerTiming& timing,
             const ServingCosts& costs,
             std::uint32_t tensorParallel,
             std::uint32_t tokens,
             std::uint32_t batch)
{
    const double all = static_cast<double>(tokens) * batch;
    const double excess = tensorParallel > 1 ? AllReduceExcess(timing, costs, all) : 0;
    const double prompts =
        costs.batchOverhead.ToSeconds() * std::pow(batch - 1, costs.batchExponent);
    return std::max(timing.InferenceForward() + excess + prompts, costs.layerLaunch.ToSeconds());
}

} // namespace

Duration
ServingLayersTime(const TransformerSpec& model,
                  const GpuSpec& gpu,
                  std::uint32_t tensorParallel,
                  std::uint32_t layers,
                  bool hasHead,
                  std::uint32_t tokens,
                  std::uint32_t batch)
{
    TransformerSpec prompts = model;
    prompts.sequence = tokens;
    const LayerTiming timing(prompts, gpu, {batch, tensorParallel});
    const double overhead = servingPassOverhead.ToSeconds() / model.layers;
    const double layer =
        LayerSeconds(timing, gpu.serving, tensorParallel, tokens, batch) + overhead;
    return Duration::Seconds(layers * layer + (hasHead ? timing.InferenceHead() : 0));
}

std::vector<double>
ServingKernelEnds(const TransformerSpec& model,
                  const GpuSpec& gpu,
                  std::uint32_t tensorParallel,
                  std::uint32_t tokens,
                  std::uint32_t batch)
{
    TransformerSpec prompts = model;
    prompts.sequence = tokens;
    const auto kernels = LayerTiming(prompts, gpu, {batch, tensorParallel}).InferenceKernels();
    std::vector<double> ends(kernels.size());
    std::partial_sum(kernels.begin(), kernels.end(), ends.begin());
    const double layer = ends.back();
    std::transform(
        ends.begin(), ends.end(), ends.begin(), [layer](double end) { return end / layer; });
    return ends;
}

Duration
ServingPrefillTime(const TransformerSpec& model,
                   const GpuSpec& gpu,
                   std::uint32_t tensorParallel,
                   std::uint32_t tokens,
                   std::uint32_t batch)
{
    return ServingLayersTime(model, gpu, tensorParallel, model.layers, true, tokens, batch);
}

} // namespace geotrain
