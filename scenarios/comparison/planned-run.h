// SPDX-License-Identifier: GPL-2.0-only
// Names one run of a comparison: its variant, seed, assignments and folder.
#pragma once

#include "comparison/variants.h"
#include "runner/run-variant.h"

#include <filesystem>
#include <vector>

namespace geotrain
{

/// A PlannedRun is one run of a comparison.
struct PlannedRun
{
    const ScenarioText* text = nullptr; ///< must outlive the run
    std::size_t variant = 0;            ///< index of its variant in the comparison
    RunVariant name;
    std::vector<Assignment> assignments;
    std::filesystem::path folder;
};

} // namespace geotrain
