// SPDX-License-Identifier: GPL-2.0-only
// Reads quantities in options of the command line.
#pragma once

#include "units/bytes.h"

#include <string>

namespace geotrain
{

/// Returns the positive rate that `option` gives. Throws ConfigError that names the option.
BitRate RateOption(const std::string& option, const std::string& text);

} // namespace geotrain
