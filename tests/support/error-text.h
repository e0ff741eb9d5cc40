// SPDX-License-Identifier: GPL-2.0-only
// Returns the message with which a call is refused, for tests of messages.
#pragma once

#include "units/config-error.h"

#include <string>

namespace geotrain
{

/// Returns the text of the `Error` that `call` throws; empty if it throws none.
template <typename Error = ConfigError, typename Call>
std::string
ErrorText(Call call)
{
    try
    {
        call();
    }
    catch (const Error& error)
    {
        return error.what();
    }
    return "";
}

} // namespace geotrain
