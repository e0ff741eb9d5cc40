// SPDX-License-Identifier: GPL-2.0-only
// Says where a scenario comes from: the name for error messages, and the folder to which paths in
// the scenario are relative.
#pragma once

#include "units/config-error.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace geotrain
{

/// A ScenarioFile is the origin of one scenario.
struct ScenarioFile
{
    std::string name;
    std::filesystem::path folder;
    std::string job = ""; ///< field of the job that is resolved, "job[0]"; empty outside of jobs

    /// Throws a ConfigError with the file's name. The machines of a job are fields of the scenario.
    [[noreturn]] void
    Fail(const std::string& field, const std::string& value, const std::string& rule) const
    {
        const bool isOfJob = !job.empty() && field.rfind("data_center", 0) != 0;
        throw ConfigError(name,
                          isOfJob ? job + "." + field : field,
                          value,
                          job.empty() || isOfJob ? rule : rule + " (for " + job + ")");
    }

    /// Returns the path of a file that the scenario names in `field`. Throws ConfigError where it is
    /// no regular file, since reading a device or a pipe might never end.
    std::string PathOf(const std::string& relative, const std::string& field) const
    {
        const auto path = (folder / relative).lexically_normal();
        std::error_code error;
        if (!std::filesystem::is_regular_file(path, error))
        {
            Fail(field,
                 relative,
                 path == relative ? "is no file"
                                  : "is no file; it was looked for at " + path.string());
        }
        return path.string();
    }
};

/// Returns the value of an enumeration whose values the schema has in the same order, after
/// UNSPECIFIED, which the field must not be.
template <typename Enumeration>
Enumeration
EnumOf(int written)
{
    return static_cast<Enumeration>(written - 1);
}

/// Returns the schema's value for one of such an enumeration.
template <typename Written, typename Enumeration>
Written
WrittenAs(Enumeration value)
{
    return static_cast<Written>(static_cast<int>(value) + 1);
}

/// A number that its field's rule keeps within 32 bits.
inline std::uint32_t
Small(std::int64_t checked)
{
    return static_cast<std::uint32_t>(checked);
}

} // namespace geotrain
