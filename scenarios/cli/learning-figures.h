// SPDX-License-Identifier: GPL-2.0-only
// Draws the figures of `geotrain learn --figures`.
#pragma once

#include "path-learning/path-model.h"

#include <filesystem>
#include <string>
#include <vector>

namespace geotrain
{

/// Draws into `folder` what the path gives to the first of `files` that holds packets, beside what
/// was recorded, and the loss of the training where there was one. Throws ConfigError and
/// TraceError.
void DrawLearningFigures(const PathModel& model,
                         const std::vector<std::string>& files,
                         const std::filesystem::path& folder);

} // namespace geotrain
