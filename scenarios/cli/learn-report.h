// SPDX-License-Identifier: GPL-2.0-only
// Says what was learned of a path, for people and for scripts.
#pragma once

#include "path-learning/path-learner.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace geotrain
{

/// EvaluatedTrace is one record that the path did not see.
struct EvaluatedTrace
{
    std::string name;
    PathErrors errors;
};

/// Returns the path's parameters; `out` is its file.
nlohmann::ordered_json PathAsJson(const PathModel& model, const std::string& out);

/// Returns the parameters, the errors and the warnings.
nlohmann::ordered_json LearnedAsJson(const LearnedFiles& learned,
                                     const std::string& out,
                                     const std::vector<EvaluatedTrace>& evaluated);
std::string LearnedText(const LearnedFiles& learned,
                        const std::string& out,
                        const std::vector<EvaluatedTrace>& evaluated);

} // namespace geotrain
