// SPDX-License-Identifier: GPL-2.0-only
// The command-line options of TCP connections, for a verb without a scenario file. Each is a field
// of a scenario's transport, whose rules it has too.
#pragma once

#include "loader/assignment.h"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace geotrain
{

/// Adds the options, such as --initial-window. Those that are given become assignments to the
/// fields in `given`, which must outlive `verb`.
void AddTcpOptions(CLI::App& verb, std::vector<Assignment>& given);

/// Throws ConfigError where an option is given that ns-3's sockets lack. `transport` has these
/// sockets, and the error names it.
void RefuseTcpOptions(const std::vector<Assignment>& given, const std::string& transport);

} // namespace geotrain
