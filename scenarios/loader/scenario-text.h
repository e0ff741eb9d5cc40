// SPDX-License-Identifier: GPL-2.0-only
// Scenarios as text: parsing with one-line errors, printing, and finding them by path or by their
// bare name in the library.
#pragma once

#include "loader/schema-types.h"

#include <filesystem>
#include <string>
#include <vector>

namespace geotrain
{

struct ScenarioText
{
    std::string file;             ///< as errors name it
    std::filesystem::path folder; ///< what paths inside the scenario are relative to
    std::string text;
};

/// Reads the file `nameOrPath`, or the library's `nameOrPath`.textproto when there is no such file.
/// Throws ConfigError.
ScenarioText ReadScenarioText(const std::string& nameOrPath);

/// Throws ConfigError that names `file`, the line and what is wrong in it.
scenario::Scenario ParseScenario(const std::string& text, const std::string& file);

/// The text format, in the schema's order.
std::string PrintScenario(const scenario::Scenario& scenario);

/// The same as JSON, with the schema's names.
std::string PrintScenarioAsJson(const scenario::Scenario& scenario);

/// A scenario of the library: its name, and the first sentence of its head comment.
struct LibraryEntry
{
    std::string name;
    std::string question;
};

/// By name.
std::vector<LibraryEntry> ScenarioLibrary();

} // namespace geotrain
