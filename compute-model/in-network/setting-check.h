// SPDX-License-Identifier: GPL-2.0-only
// Refuses settings that break a rule.
#pragma once

#include "units/config-error.h"

#include <string>

namespace geotrain
{

/// SettingCheck names the fields below one path.
class SettingCheck
{
  public:
    explicit SettingCheck(std::string path)
        : m_path(std::move(path))
    {
    }

    /// Throws ConfigError for `field` unless `holds`.
    void
    Require(bool holds, const char* field, const std::string& value, const std::string& rule) const
    {
        if (!holds)
        {
            throw ConfigError("", m_path + "." + field, value, rule);
        }
    }

  private:
    std::string m_path;
};

} // namespace geotrain
