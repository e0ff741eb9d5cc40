// SPDX-License-Identifier: GPL-2.0-only
// Loads any text as a scenario. Either it loads, and its resolved form loads to itself, or a
// ConfigError says why not.
#include "loader/scenario-loader.h"

#include <cstdlib>
#include <string>

extern "C" int
LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string text(reinterpret_cast<const char*>(data), size);
    geotrain::Experiment loaded;
    try
    {
        // The folder doesn't exist, so that a scenario's text can't make the target read the
        // machine's files.
        loaded = geotrain::LoadScenario({"fuzz.textproto", "/nonexistent", text});
    }
    catch (const geotrain::ConfigError&)
    {
        return 0;
    }
    const auto first = geotrain::PrintScenario(*loaded.provenance.resolved);
    const auto again = geotrain::LoadScenario({"fuzz.textproto", "/nonexistent", first});
    if (geotrain::PrintScenario(*again.provenance.resolved) != first)
    {
        std::abort();
    }
    return 0;
}
