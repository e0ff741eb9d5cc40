// SPDX-License-Identifier: GPL-2.0-only
// Prints messages. Where stderr is closed or its disk is full, they are lost and the work goes on;
// fmt::print() would end it.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <utility>

namespace geotrain
{

/// Prints a text to stderr, as far as that takes it.
template <typename... Values>
void
PrintToStderr(fmt::format_string<Values...> format, Values&&... values)
{
    std::fputs(fmt::format(format, std::forward<Values>(values)...).c_str(), stderr);
}

} // namespace geotrain
