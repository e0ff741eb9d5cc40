// SPDX-License-Identifier: GPL-2.0-only
// The command-line options of TCP connections, for a verb without a scenario file.
#pragma once

#include "bulk-tcp/model/bulk-tcp-options.h"

#include <CLI/CLI.hpp>

#include <string>

namespace geotrain
{

/// TcpArguments are the options as text; empty where an option is not given.
struct TcpArguments
{
    std::string initialWindow;
    std::string minRto;
    std::string delayedAck;
    std::string delayedAckTimeout;
    std::string hyStart;
    std::string pacing;
    std::string tailLossProbe;
    std::string autotuning;
};

/// Adds the option of each field, such as --initial-window. `arguments` must outlive `verb`.
void AddTcpOptions(CLI::App& verb, TcpArguments& arguments);

/// Returns the settings of `arguments`. Throws ConfigError that names the option.
ns3::BulkTcpOverrides OverridesOf(const TcpArguments& arguments);

/// Throws ConfigError where an option is given that ns-3's sockets lack. `transport` has these
/// sockets, and the error names it.
void RefuseTcpOptions(const TcpArguments& arguments, const std::string& transport);

} // namespace geotrain
