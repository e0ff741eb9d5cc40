// SPDX-License-Identifier: GPL-2.0-only
#include "timing/serving-time.h"

#include "timing/layer-timing.h"

namespace geotrain
{

namespace
{

constexpr double allReducesOfLayer = 2;

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
    const double latency =
        tensorParallel > 1 ? allReducesOfLayer * servingAllReduceLatency.ToSeconds() : 0;
    const double overhead = servingPassOverhead.ToSeconds() / model.layers;
    return Duration::Seconds(layers * (timing.InferenceForward() + latency + overhead) +
                             (hasHead ? timing.InferenceHead() : 0));
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
