// SPDX-License-Identifier: GPL-2.0-only
// Feeds bytes to the reader of request traces. The requests of an accepted trace come in the order
// of time, and number up, whatever the factor on their rate.
#include "prefill-service/request-trace.h"
#include "units/config-error.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace
{

void
CheckRequests(const std::vector<geotrain::RequestTraceRow>& rows, double rateFactor)
{
    geotrain::RequestTrace source(rows, rateFactor);
    geotrain::Instant last;
    std::uint64_t number = 0;
    while (const auto request = source.Next())
    {
        if (request->arrival < last || request->number != ++number || request->promptTokens == 0)
        {
            std::abort();
        }
        last = request->arrival;
    }
    if (number != rows.size())
    {
        std::abort();
    }
}

} // namespace

int
LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    try
    {
        const std::string text(reinterpret_cast<const char*>(data), size);
        const auto rows = geotrain::ParseRequestTrace("fuzz", text).rows;
        // The least and the greatest value of inference.trace.rate_factor, and its default.
        for (const double rateFactor : {0.000001, 1.0, 1000000.0})
        {
            CheckRequests(rows, rateFactor);
        }
    }
    catch (const geotrain::ConfigError&)
    {
    }
    return 0;
}
