// SPDX-License-Identifier: GPL-2.0-only
// Loads shared libraries with congestion controls of a user's own: classes that derive from
// ns3::TcpCongestionOps and register a TypeId. A library is trusted: its code runs as it is loaded. It
// stays loaded until the process ends, as its TypeIds stay registered. One that was built for another
// version of ns-3 is only recognised by symbols that are missing.
#pragma once

#include "loader/scenario-file.h"

#include <filesystem>
#include <string>
#include <vector>

namespace geotrain
{

/// A ControlLibrary is a library that this process has loaded.
struct ControlLibrary
{
    std::filesystem::path path;        ///< absolute
    std::string sha256;                ///< of its file, in hexadecimal digits
    std::vector<std::string> controls; ///< TypeIds of its congestion controls
};

/// Loads the library `written`, whose path is relative to the folder of `file`. A library of equal
/// contents is loaded once only. Throws ConfigError, which names `file` and `field`, where the
/// library can't be loaded or adds no congestion control.
const ControlLibrary&
LoadControlLibrary(const std::string& written, const std::string& field, const ScenarioFile& file);

/// Loads the libraries of --load, whose paths are relative to the working folder. Returns their
/// absolute paths. Throws ConfigError, which names --load.
std::vector<std::string> LoadControlLibraries(const std::vector<std::string>& options);

/// Returns all libraries of this process, in the order in which they were loaded.
std::vector<ControlLibrary> LoadedLibraries();

/// Returns the SHA-256 of a file in hexadecimal digits; empty where it can't be read.
std::string Sha256Of(const std::filesystem::path& file);

} // namespace geotrain
