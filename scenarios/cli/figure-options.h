// SPDX-License-Identifier: GPL-2.0-only
// Reads the options of `geotrain figures`: which figures, how wide, with which title, which part of
// the time, in which formats, of which variants.
#pragma once

#include "figures/figure-place.h"

#include <CLI/CLI.hpp>

#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

/// FigureOptions are the options as they were typed. Lists hold values that may be joined by
/// commas.
struct FigureOptions
{
    std::vector<std::string> only;
    std::vector<std::string> formats;
    std::vector<std::string> variants; ///< names or titles
    std::string width;
    std::string title;
    std::string from;
    std::string to;
    std::optional<bool> logAxes;
};

/// Adds --log and --no-log.
void AddLogOption(CLI::App& verb, std::optional<bool>& logAxes);

/// Returns the choices that the options make. Throws ConfigError where one breaks a rule.
FigureChoices ChoicesOf(const FigureOptions& options);

} // namespace geotrain
