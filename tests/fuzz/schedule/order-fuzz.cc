// SPDX-License-Identifier: GPL-2.0-only
// Feeds bytes to the reader of a user's own orders. An accepted order is legal: it can be timed, and
// each worker holds at most what its cap says.
#include "schedule/custom-order.h"
#include "schedule/order-simulation.h"
#include "units/config-error.h"

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
        const auto custom =
            ParseOrder(std::string(reinterpret_cast<const char*>(data), size), "fuzz");
        const auto timeline = SimulateOrder(custom.order, custom.microbatches, {});
        for (std::size_t worker = 0; worker < custom.order.stages.size(); ++worker)
        {
            const bool isWhole =
                timeline.spans[worker].size() == custom.order.stages[worker].size() &&
                PeakActivations(custom.order.stages[worker]) <= custom.order.activationCap[worker];
            if (!isWhole)
            {
                std::abort();
            }
        }
    }
    catch (const ConfigError&)
    {
    }
    return 0;
}
