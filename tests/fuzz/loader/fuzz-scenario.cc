// SPDX-License-Identifier: GPL-2.0-only
// Any text as a scenario: it loads, and what it resolves to loads to itself, or a ConfigError says why not.
#include "loader/scenario-loader.h"

#include <cstdlib>
#include <string>

extern "C" int
LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string text(reinterpret_cast<const char*>(data), size);
    geotrain::LoadedScenario loaded;
    try
    {
        // A folder that isn't there: a scenario's text must not make the target read the machine's files.
        loaded = geotrain::LoadScenario({"fuzz.textproto", "/nonexistent", text});
    }
    catch (const geotrain::ConfigError&)
    {
        return 0;
    }
    const auto first = geotrain::PrintScenario(*loaded.resolved);
    const auto again = geotrain::LoadScenario({"fuzz.textproto", "/nonexistent", first});
    if (geotrain::PrintScenario(*again.resolved) != first)
    {
        std::abort();
    }
    return 0;
}
