// SPDX-License-Identifier: GPL-2.0-only
// Says what is wrong with a command line in the words of the program's other errors, where CLI11 has
// words of its own.
#pragma once

#include <string>

namespace geotrain
{

/// Returns CLI11's message as `--jobs: "0" must be a number from 1 to 10000`. An unknown message is
/// returned as it is.
std::string PlainParseError(const std::string& message);

} // namespace geotrain
