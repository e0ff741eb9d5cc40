// SPDX-License-Identifier: GPL-2.0-only
// Feeds bytes to the reader of measured profiles. A stage that an accepted profile can time takes
// time forward and backward.
#include "hardware/gpu-catalogue.h"
#include "timing/measured-profile.h"
#include "units/config-error.h"
#include "workload/model-catalogue.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int
LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace geotrain;
    static const TransformerSpec model = *FindModel("llama3-8b");
    static const GpuSpec gpu = *FindGpu("A100-40");
    try
    {
        const auto profile =
            MeasuredProfile::Parse("fuzz", std::string(reinterpret_cast<const char*>(data), size));
        StageExecution execution;
        execution.recomputation = Recomputation::Full;
        const auto timing = profile.TimeStage(model, {1, true, true}, gpu, execution);
        const bool takesTime = timing.forward > Duration() && timing.recompute > Duration() &&
                               timing.backwardInput > Duration() &&
                               timing.backwardWeight > Duration();
        if (!takesTime)
        {
            std::abort();
        }
    }
    catch (const ConfigError&)
    {
    }
    return 0;
}
