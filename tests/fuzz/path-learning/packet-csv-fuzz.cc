// SPDX-License-Identifier: GPL-2.0-only
// Feeds bytes to the reader of packets in CSV. What it accepts can be learned from.
#include "path-learning/ibox-estimate.h"
#include "path-learning/trace-readers.h"
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
        const std::string text(reinterpret_cast<const char*>(data), size);
        const PacketTrace trace = ParsePacketCsv("fuzz", text);
        const PathParameters path = EstimatePath(trace);
        if (path.rate < BitRate::BitsPerSecond(1) || path.buffer < Bytes::Of(1))
        {
            std::abort();
        }
    }
    catch (const ConfigError&)
    {
    }
    return 0;
}
