// SPDX-License-Identifier: GPL-2.0-only
// Says in one line what is wrong with an input: file, field path, value and the rule that it
// breaks. It is thrown where input enters (scenario, JSON, CSV, GML, command line). A main prints
// it and exits with 1.
#pragma once

#include <stdexcept>
#include <string>

namespace geotrain
{

/// A ConfigError is the one exception for input that breaks a rule.
class ConfigError : public std::runtime_error
{
  public:
    /// Composes a text such as `three-dc.textproto: wan_link[2].delay: "-3ms" must be >= 0`.
    /// `file`, `field` and `value` may be empty and are then left out. `rule` is never empty.
    /// Control characters are escaped. A value is cut after 100 bytes, other parts after 1000.
    ConfigError(const std::string& file,
                const std::string& field,
                const std::string& value,
                const std::string& rule);
};

} // namespace geotrain
