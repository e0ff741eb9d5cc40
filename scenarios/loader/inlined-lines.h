// SPDX-License-Identifier: GPL-2.0-only
// Moves the lines of a file that a scenario names into the scenario, which then does without the file.
#pragma once

#include "loader/scenario-file.h"

#include <google/protobuf/repeated_field.h>

#include <string>

namespace geotrain
{

/// An InlinedText is the text of a file, and its name in errors.
struct InlinedText
{
    std::string name;
    std::string text;
};

/// Adds the lines of the file that `field` names to `lines`, which are those of `lineField`; an empty
/// `path` is no file. Returns all lines. Throws ConfigError where there is no such file.
InlinedText InlineLines(const std::string& path,
                        const std::string& field,
                        const std::string& lineField,
                        google::protobuf::RepeatedPtrField<std::string>& lines,
                        const ScenarioFile& file);

} // namespace geotrain
