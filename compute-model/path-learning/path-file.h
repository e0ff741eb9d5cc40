// SPDX-License-Identifier: GPL-2.0-only
// Reads and writes model files (schema/path.proto), and imports iBoxNet's network profiles
// (github.com/microsoft/internet-in-a-box).
#pragma once

#include "path-learning/path-model.h"

#include <string>

namespace geotrain
{

/// A file holds recorded cross traffic over the rate as multiples of this.
constexpr double recordedShareUnit = 1e-4;

/// Returns the bytes of a model file. Equal models give equal bytes.
std::string EncodePath(const PathModel& model);

/// Returns the model that the bytes of a file hold. Throws ConfigError that names `file`.
PathModel DecodePath(const std::string& file, const std::string& bytes);

/// Reads a model file. Throws ConfigError.
PathModel ReadPathFile(const std::string& path);

/// Returns the path of an iBoxNet profile: the direction of its data is forward. Throws ConfigError
/// that names `file` and the field.
PathModel ParseIBoxProfile(const std::string& file, const std::string& text);

} // namespace geotrain
