// SPDX-License-Identifier: GPL-2.0-only
// Feeds bytes to the importers of trainers' configurations: the first one chooses among TOML, YAML and a
// shell's text. An accepted configuration becomes a scenario's text.
#include "trainers/config-readers.h"
#include "trainers/imported-run.h"
#include "units/config-error.h"

#include <cstddef>
#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int
LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace geotrain;
    if (size == 0)
    {
        return 0;
    }
    const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
    try
    {
        TrainerConfig config = data[0] == 't'   ? ReadTomlConfig(text, "fuzz")
                               : data[0] == 'y' ? ReadYamlConfig(text, "fuzz")
                                                : ReadShellArguments(text, "fuzz");
        const auto run = data[0] == 't' ? ImportTorchtitan(config, {}) : ImportMegatron(config, {});
        ScenarioOf(run, config, {});
    }
    catch (const ConfigError&)
    {
    }
    return 0;
}
