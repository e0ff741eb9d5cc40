// SPDX-License-Identifier: GPL-2.0-only
// Reads quantities that options of the command line give.
#pragma once

#include "units/config-error.h"
#include "units/quantity-parser.h"

#include <stdexcept>
#include <string>

namespace geotrain
{

/// Returns what `parse` reads in the text of an option. Throws ConfigError that names the option where
/// it throws std::invalid_argument.
template <typename Parse>
auto
ParseOption(const Parse& parse, const std::string& option, const std::string& text)
{
    try
    {
        return parse(text);
    }
    catch (const std::invalid_argument& broken)
    {
        throw ConfigError(option, "", text, broken.what());
    }
}

/// Returns the time that an option gives. Throws ConfigError where it is not from `least` to `most`.
inline Duration
DurationOption(const std::string& option, const std::string& text, Duration least, Duration most)
{
    const auto time = ParseOption(ParseDuration, option, text);
    if (time < least || time > most)
    {
        throw ConfigError(option, "", text, "must be from " + Format(least) + " to " + Format(most));
    }
    return time;
}

} // namespace geotrain
