// SPDX-License-Identifier: GPL-2.0-only
// Defines what `geotrain learn` tells the trainer, a program of its own: one argument, in JSON. The
// trainer is a program since only it links libtorch, which takes long to load: the others need neither
// libtorch nor a way to open it at run time.
#pragma once

#include "path-learning/training-settings.h"

#include <string>
#include <vector>

namespace geotrain
{

/// TrainingRequest is one training.
struct TrainingRequest
{
    std::vector<std::string> files;
    std::string out;
    TrainingSettings settings;
    double seconds = 0; ///< after which the best so far is written; 0: no limit
    bool isQuiet = false;
};

/// Returns the request as the trainer's argument, and the request of such an argument.
std::string ToArgument(const TrainingRequest& request);
TrainingRequest FromArgument(const std::string& argument);

} // namespace geotrain
