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

/// Times layers of one kind.
LayerTiming
TimingOf(const PrefillPass& pass, const TransformerSpec& shape)
{
    const ServingCosts& engine = pass.gpu.serving;
    TransformerSpec prompts = shape;
    prompts.sequence = pass.tokens;
    StageExecution execution{pass.batch, pass.tensorParallel};
    execution.attention = engine.isCausal ? Attention::FusedCausal : Attention::Fused;
    return {prompts, WithKernelsAt(engine.kernelEfficiency, pass.gpu), execution};
}

/// Returns the kernels of a layer in their order. The attention of a chunk takes what that of all
/// tokens takes more than that of the cached ones, and at least the time to read what they left.
std::vector<double>
KernelsOf(const PrefillPass& pass, const TransformerSpec& shape)
{
    const LayerTiming timing = TimingOf(pass, shape);
    auto kernels = timing.InferenceKernels();
    if (pass.cached > 0)
    {
        const auto over = [&](std::uint32_t tokens) {
            return TimingOf({pass.model, pass.gpu, pass.tensorParallel, tokens, pass.batch}, shape);
        };
        const LayerTiming whole = over(pass.cached + pass.tokens);
        double& attention = kernels[timing.AttentionKernel()];
        attention = std::max({attention,
                              whole.InferenceAttention() - over(pass.cached).InferenceAttention(),
                              whole.ReadOfKeysAndValues()});
    }
    return kernels;
}

/// Returns what a layer's all-reduces of a pass of `tokens` tokens take beyond their bytes' time.
double
AllReduceExcess(const LayerTiming& timing, const ServingCosts& costs, double tokens)
{
    const double beyond =
        std::clamp(tokens / servingSaturationTokens - 1, 0.0, costs.saturationEnd);
    return timing.AllReduces() * (costs.saturationSlope * beyond * timing.AllReduceOfActivation() +
                                  costs.allReduceLatency.ToSeconds());
}

double
ServingLayerSeconds(const PrefillPass& pass, const TransformerSpec& shape)
{
    const LayerTiming timing = TimingOf(pass, shape);
    const ServingCosts& costs = pass.gpu.serving;
    const double all = static_cast<double>(pass.tokens) * pass.batch;
    const double excess = pass.tensorParallel > 1 ? AllReduceExcess(timing, costs, all) : 0;
    const double prompts =
        costs.batchOverhead.ToSeconds() * std::pow(pass.batch - 1, costs.batchExponent);
    const auto kernels = KernelsOf(pass, shape);
    const double forward = std::accumulate(kernels.begin(), kernels.end(), 0.0);
    return std::max(forward + excess + prompts, costs.layerLaunch.ToSeconds());
}

} // namespace

Duration
PrefillTime(const PrefillPass& pass)
{
    double seconds = 0;
    const auto kinds = LikeLayersOf(pass.model, 0, pass.model.layers);
    for (const LikeLayers& layers : kinds)
    {
        seconds += layers.count * TimingOf(pass, layers.shape).InferenceForward();
    }
    return Duration::Seconds(seconds + TimingOf(pass, kinds.front().shape).InferenceHead());
}

Duration
ServingLayersTime(const PrefillPass& pass, const StageShare& share)
{
    const double overhead = pass.gpu.serving.passOverhead.ToSeconds() / pass.model.layers;
    double seconds = 0;
    const auto kinds = LikeLayersOf(pass.model, share);
    for (const LikeLayers& layers : kinds)
    {
        const double layer = ServingLayerSeconds(pass, layers.shape) + overhead;
        seconds += layers.count * layer;
    }
    const double head = share.hasHead ? TimingOf(pass, kinds.front().shape).InferenceHead() : 0;
    return Duration::Seconds(seconds + head);
}

Duration
ServingPrefillTime(const PrefillPass& pass)
{
    return ServingLayersTime(pass, {pass.model.layers, true, true});
}

std::vector<double>
ServingKernelEnds(const PrefillPass& pass)
{
    auto ends = KernelsOf(pass, LikeLayersOf(pass.model, 0, 1).front().shape);
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    const double layer = ends.back();
    std::transform(
        ends.begin(), ends.end(), ends.begin(), [layer](double end) { return end / layer; });
    return ends;
}

} // namespace geotrain
