// SPDX-License-Identifier: GPL-2.0-only
// Quantities in texts that are no fields of a scenario: options of the command line, and the values
// of a varied path.
#pragma once

#include "units/bytes.h"

#include <optional>
#include <string>

namespace geotrain
{

/// The positive rate that `option` gives. Throws ConfigError that names the option.
BitRate RateOption(const std::string& option, const std::string& text);

/// A text's time in seconds; none where it is no time.
std::optional<double> SecondsIn(const std::string& text);

} // namespace geotrain
