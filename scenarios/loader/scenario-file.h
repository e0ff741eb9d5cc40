// SPDX-License-Identifier: GPL-2.0-only
// Where a scenario comes from, for those who resolve its sections: the name that errors give, and
// the folder that paths inside it are relative to.
#pragma once

#include "units/config-error.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace geotrain
{

struct ScenarioFile
{
    std::string name;
    std::filesystem::path folder;

    [[noreturn]] void
    Fail(const std::string& field, const std::string& value, const std::string& rule) const
    {
        throw ConfigError(name, field, value, rule);
    }

    /// The path of a file that the scenario names. Throws ConfigError where there is no such file
    /// (a device or a pipe could be read forever).
    std::string PathOf(const std::string& relative) const
    {
        const auto path = (folder / relative).lexically_normal();
        std::error_code error;
        if (!std::filesystem::is_regular_file(path, error))
        {
            throw ConfigError(path.string(), "", "", "is no file");
        }
        return path.string();
    }
};

/// A number that its field's rule keeps within 32 bits.
inline std::uint32_t
Small(std::int64_t checked)
{
    return static_cast<std::uint32_t>(checked);
}

} // namespace geotrain
