// SPDX-License-Identifier: GPL-2.0-only
#include "timing/prefill-time.h"

#include "timing/layer-timing.h"

namespace geotrain
{

Duration
PrefillTime(const TransformerSpec& model,
            const GpuSpec& gpu,
            std::uint32_t tensorParallel,
            std::uint32_t tokens,
            std::uint32_t batch)
{
    TransformerSpec prompts = model;
    prompts.sequence = tokens;
    const LayerTiming timing(prompts, gpu, {batch, tensorParallel});
    return Duration::Seconds(model.layers * timing.InferenceForward() + timing.InferenceHead());
}

} // namespace geotrain
