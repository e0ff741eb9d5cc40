// SPDX-License-Identifier: GPL-2.0-only
// Reads quantities in texts that are not fields of a scenario: options of the command line, and the
// values of a varied path.
#pragma once

#include "units/bytes.h"

#include <optional>
#include <string>

namespace geotrain
{

/// Returns the positive rate that `option` gives. Throws ConfigError that names the option.
BitRate RateOption(const std::string& option, const std::string& text);

/// Returns the time in `text` in seconds; nullopt where it is not a time.
std::optional<double> SecondsIn(const std::string& text);

} // namespace geotrain
