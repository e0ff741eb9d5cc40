// SPDX-License-Identifier: GPL-2.0-only
// Parses scenarios with one-line errors, prints them, and finds them by path or by name in the
// library.
#pragma once

#include "loader/schema-types.h"

#include <filesystem>
#include <string>
#include <vector>

namespace geotrain
{

/// A ScenarioText is the text of a scenario and its origin.
struct ScenarioText
{
    std::string file;             ///< name of the file in error messages
    std::filesystem::path folder; ///< folder to which paths in the scenario are relative
    std::string text;
    std::vector<std::string> libraries = {}; ///< of --load: absolute paths, loaded already
};

/// The name of the library's battery for congestion controls: its scenarios are called battery-*, and
/// `geotrain compare` runs them together.
constexpr const char* batteryName = "congestion-control-battery";

/// Returns the library's scenario of that name, or else reads the file. A library scenario names no
/// other file of its own; paths that a user assigns to it are relative to the working folder. Throws
/// ConfigError.
ScenarioText ReadScenarioText(const std::string& nameOrPath);

/// Parses the text format. Throws ConfigError that names `file`, line and column, with
/// Protobuf's message.
scenario::Scenario ParseScenario(const std::string& text, const std::string& file);

/// Returns the text format of a scenario, in the schema's order.
std::string PrintScenario(const scenario::Scenario& scenario);

/// Returns a scenario as JSON, with the schema's names.
std::string PrintScenarioAsJson(const scenario::Scenario& scenario);

/// A LibraryEntry is what there is to say of a scenario of the library.
struct LibraryEntry
{
    std::string name;
    std::string question; ///< first sentence of the scenario's head comment
    bool hasVariants;     ///< so that `compare` answers the question
    std::string network;  ///< as --network names it

    /// Processor time of the whole, coarsely, as its head comment says it: "4", or "< 1".
    std::string minutes;
};

/// Returns the scenarios of the library by name.
std::vector<LibraryEntry> ScenarioLibrary();

} // namespace geotrain
