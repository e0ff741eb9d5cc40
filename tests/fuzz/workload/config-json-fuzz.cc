// SPDX-License-Identifier: GPL-2.0-only
// Feeds bytes to the importer of Hugging Face's config.json. What it accepts must be a model whose
// parameters, operations and memory can be counted.
#include "units/config-error.h"
#include "workload/flop-count.h"
#include "workload/hugging-face-config.h"
#include "workload/memory-model.h"
#include "workload/parameter-count.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int
LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace geotrain;
    try
    {
        const auto model = ParseHuggingFaceConfig(
            "config.json", std::string(reinterpret_cast<const char*>(data), size));
        const StageShare share{model.layers, true, true};
        const bool counts = ParameterCount(model) > 0 && StageParameters(model, share) > 0 &&
                            StageGradientBytes(model, share).Count() > 0 &&
                            ModelFlops(model, 1).Count() > 0 &&
                            MemoryOfStage(model, share, {}, 1).Total().Count() > 0;
        if (!counts)
        {
            std::abort();
        }
    }
    catch (const ConfigError&)
    {
    }
    return 0;
}
