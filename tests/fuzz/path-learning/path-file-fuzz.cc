// SPDX-License-Identifier: GPL-2.0-only
// Feeds bytes to the reader of model files. What it accepts is written as it was read.
#include "path-learning/path-file.h"
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
        const PathModel model = DecodePath("fuzz", text);
        const std::string written = EncodePath(model);
        if (EncodePath(DecodePath("fuzz", written)) != written)
        {
            std::abort();
        }
    }
    catch (const ConfigError&)
    {
    }
    return 0;
}
