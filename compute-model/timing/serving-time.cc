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
AllReduceExcess(const LayerTiming& timing, double tokens)
{
    const double beyond = std::max(0.0, tokens / servingSaturationTokens - 1);
    return allReducesOfLayer * (servingSaturationSlope * beyond * timing.AllReduceOfActivation() +
                                servingAllReduceLatency.ToSeconds());
}

double
LayerSeconds(const LayerTiming& timing,
             std::uint32_t tensorParallel,
             std::uint32_t tokens,
             std::uint32_t batch)
{
    const double all = static_cast<double>(tokens) * batch;
    const double excess = tensorParallel > 1 ? AllReduceExcess(timing, all) : 0;
    const double prompts =
        servingBatchOverhead.ToSeconds() * std::pow(batch - 1, servingBatchExponent);
    return std::max(timing.InferenceForward() + excess + prompts, servingLayerLaunch.ToSeconds());
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
    const double layer = LayerSeconds(timing, tensorParallel, tokens, batch) + overhead;
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
