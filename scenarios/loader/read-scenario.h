// SPDX-License-Identifier: GPL-2.0-only
// Reads a scenario as it is written, with the assignments of a command line, before anything of it is
// resolved.
#pragma once

#include "loader/assignment.h"
#include "loader/experiment.h"
#include "loader/scenario-text.h"

#include <cstdint>
#include <string>
#include <vector>

namespace geotrain
{

/// Returns the scenario of `text` after `assignments` are made in their order; nothing else is
/// checked. Throws ConfigError.
scenario::Scenario ReadScenario(const ScenarioText& text,
                                const std::vector<Assignment>& assignments);

/// Throws ConfigError where `assignments` set a field that the schema does not have, or a value
/// that the field cannot hold.
void CheckAssignments(const ScenarioText& text, const std::vector<Assignment>& assignments);

/// Returns the scenario's name, or that of its file; nothing else is checked. Throws ConfigError.
std::string NameOf(const ScenarioText& text, const std::vector<Assignment>& assignments);

/// Returns the seed that the scenario would run with; nothing else is checked. Throws ConfigError.
std::int64_t SeedOf(const ScenarioText& text, const std::vector<Assignment>& assignments);

/// Returns by job whether its schedule.fallback is FASTEST, one entry for a scenario without jobs;
/// nothing else is checked. Throws ConfigError.
std::vector<bool> AsksForFastest(const ScenarioText& text,
                                 const std::vector<Assignment>& assignments);

/// Returns the resolved scenario's text as a folder of results keeps it: below its head comment.
std::string ResolvedText(const Provenance& provenance);

/// Reads the scenario of `text` into `provenance`, loads its libraries and those of `text`, and returns
/// it. Throws ConfigError.
scenario::Scenario& ReadInto(Provenance& provenance,
                             const ScenarioText& text,
                             const std::vector<Assignment>& assignments);

} // namespace geotrain
