// SPDX-License-Identifier: GPL-2.0-only
#include "timing/prefill-time.h"

#include "timing/layer-timing.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace geotrain
{

namespace
{

constexpr double allReducesOfLayer = 2;

LayerTiming
TimingOf(const PrefillPass& pass)
{
    const ServingCosts& engine = pass.gpu.serving;
    TransformerSpec prompts = pass.model;
    prompts.sequence = pass.tokens;
    StageExecution execution{pass.batch, pass.tensorParallel};
    execution.attention = engine.isCausal ? Attention::FusedCausal : Attention::Fused;
    return {prompts, WithKernelsAt(engine.kernelEfficiency, pass.gpu), execution};
}

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
ServingLayerSeconds(const LayerTiming& timing, const PrefillPass& pass)
{
    const ServingCosts& costs = pass.gpu.serving;
    const double all = static_cast<double>(pass.tokens) * pass.batch;
    const double excess = pass.tensorParallel > 1 ? AllReduceExcess(timing, costs, all) : 0;
    const double prompts =
        costs.batchOverhead.ToSeconds() * std::pow(pass.batch - 1, costs.batchExponent);
    return std::max(timing.InferenceForward() + excess + prompts, costs.layerLaunch.ToSeconds());
}

} // namespace

Duration
PrefillTime(const PrefillPass& pass)
{
    const LayerTiming timing = TimingOf(pass);
    return Duration::Seconds(pass.model.layers * timing.InferenceForward() +
                             timing.InferenceHead());
}

Duration
ServingLayersTime(const PrefillPass& pass, std::uint32_t layers, bool hasHead)
{
    const LayerTiming timing = TimingOf(pass);
    const double overhead = pass.gpu.serving.passOverhead.ToSeconds() / pass.model.layers;
    const double layer = ServingLayerSeconds(timing, pass) + overhead;
    return Duration::Seconds(layers * layer + (hasHead ? timing.InferenceHead() : 0));
}

Duration
ServingPrefillTime(const PrefillPass& pass)
{
    return ServingLayersTime(pass, pass.model.layers, true);
}

std::vector<double>
ServingKernelEnds(const PrefillPass& pass)
{
    auto ends = TimingOf(pass).InferenceKernels();
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    const double layer = ends.back();
    std::transform(
        ends.begin(), ends.end(), ends.begin(), [layer](double end) { return end / layer; });
    return ends;
}

} // namespace geotrain
