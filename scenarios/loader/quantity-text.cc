// SPDX-License-Identifier: GPL-2.0-only
#include "loader/quantity-text.h"

#include "units/config-error.h"
#include "units/quantity-parser.h"

#include <stdexcept>

namespace geotrain
{

BitRate
RateOption(const std::string& option, const std::string& text)
{
    BitRate rate;
    try
    {
        rate = ParseBitRate(text);
    }
    catch (const std::invalid_argument& broken)
    {
        throw ConfigError("", option, text, broken.what());
    }
    if (rate.ToBitsPerSecond() <= 0)
    {
        throw ConfigError("", option, text, "must be positive");
    }
    return rate;
}

} // namespace geotrain
